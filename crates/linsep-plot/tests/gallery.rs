//! Whole plots: SVG compared with snapshots, and PNG of the expected size.
//!
//! `LINSEP_GALLERY=folder cargo test -p linsep-plot --test gallery` also writes them to a folder,
//! for visual inspection.

use linsep_plot::scene::{Item, Text};
use linsep_plot::{Anchor, Axis, Chart, Format, Mark, Scene, SeriesStyle};

/// The six losses of the lectures and the 0-1 loss, against the margin.
fn losses() -> Chart {
    type Cost = fn(f64) -> f64;
    let curve = |cost: Cost| {
        let points = (0..=600).map(|i| -3.0 + 6.0 * f64::from(i) / 600.0).map(|m| (m, cost(m)));
        Mark::Line(points.collect())
    };
    let all: [(&str, Cost); 6] = [
        ("perceptron", |m| (-m).max(0.0)),
        ("logistic", |m| (-m).exp().ln_1p()),
        ("hinge", |m| (1.0 - m).max(0.0)),
        ("squared-hinge", |m| (1.0 - m).max(0.0).powi(2)),
        ("smooth-hinge", |m| match m {
            ..0.0 => 0.5 - m,
            0.0..1.0 => (1.0 - m) * (1.0 - m) / 2.0,
            _ => 0.0,
        }),
        ("squared", |m| (1.0 - m) * (1.0 - m)),
    ];
    let step = vec![(-3.0, 1.0), (0.0, 1.0), (0.0, 0.0), (3.0, 0.0)];
    let (x, y) =
        (Axis::new("margin m = y·z").range(-3.0, 3.0), Axis::new("loss").range(-0.15, 4.0));
    let chart = Chart::new("Loss functions", x, y)
        .subtitle("Loss of a row; a negative margin is a misclassification")
        .named("0/1 cost", Mark::Line(step), SeriesStyle::reference());
    all.into_iter()
        .enumerate()
        .fold(chart, |chart, (i, (name, cost))| chart.named(name, curve(cost), SeriesStyle::nth(i)))
}

/// Points of three classes with regions, a boundary and margins.
fn hyperplane() -> Chart {
    let cloud = |x: f64, y: f64| {
        let turn = |i: i32| f64::from(i) * 2.4;
        let away = |i: i32| 0.12 * f64::from(i).sqrt();
        let point = |i: i32| (x + away(i) * turn(i).cos(), y + away(i) * turn(i).sin());
        (0..40).map(point).collect::<Vec<_>>()
    };
    let corners = |x0: f64, y0: f64, x1: f64, y1: f64| vec![(x0, y0), (x1, y0), (x1, y1), (x0, y1)];
    let (x, y) = (
        Axis::new("petal length (cm)").range(-0.5, 4.5),
        Axis::new("petal width (cm)").range(-0.4, 2.6),
    );
    let margin = SeriesStyle { dash: &[4.0, 3.0], ..SeriesStyle::reference() };
    Chart::new("Three classes", x, y)
        .equal()
        .layer(Mark::Areas(vec![corners(-9.0, -9.0, 1.5, 9.0)]), SeriesStyle::nth(0))
        .layer(Mark::Segments(vec![[(0.7, 0.0), (2.2, 0.9)]]), SeriesStyle::nth(5))
        .named("setosa", Mark::Points(cloud(0.5, 0.5)), SeriesStyle::nth(0))
        .named("versicolor", Mark::Points(cloud(2.4, 0.9)), SeriesStyle::nth(1))
        .named(
            "a class with a name that is far too long to be shown",
            Mark::Points(cloud(3.4, 1.7)),
            SeriesStyle::nth(2),
        )
        .named("boundary", Mark::VerticalLine(1.5), SeriesStyle::reference())
        .named("margin", Mark::VerticalLine(1.3), margin)
        .layer(Mark::VerticalLine(1.7), margin)
        .layer(Mark::Note((1.78, -0.2), "γ = 0.2".into(), Anchor::Start), SeriesStyle::reference())
}

/// Names on an axis, intervals, a logarithmic axis.
fn coefficients() -> Chart {
    let names = ["sepal length", "sepal width", "petal length", "petal width", "(bias)"];
    let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    let ends = |i: i32| 0.001 * 10f64.powi(i);
    let intervals =
        (0..5).map(|i| [(ends(i), f64::from(i)), (ends(i) * 8.0, f64::from(i))]).collect();
    let middles = (0..5).map(|i| (ends(i) * 3.0, f64::from(i))).collect();
    Chart::new("Odds ratios", Axis::log("odds ratio"), Axis::named("", names).reversed())
        .size(560.0, 260.0)
        .layer(Mark::VerticalLine(1.0), SeriesStyle::reference())
        .named("95 % interval", Mark::Segments(intervals), SeriesStyle::nth(0))
        .named("estimate", Mark::Points(middles), SeriesStyle::nth(0))
}

fn many_series() -> Chart {
    let chart = Chart::new("", Axis::new("a").range(0.0, 1e7), Axis::new("b")).size(420.0, 240.0);
    (0..30).fold(chart, |chart, i| {
        let line = vec![(0.0, i as f64), (1e7, 1.3 * i as f64)];
        chart.named(&format!("series {i}"), Mark::Line(line), SeriesStyle::nth(i))
    })
}

fn gallery() -> [(&'static str, Scene); 4] {
    [
        ("losses", losses().scene()),
        ("plane", hyperplane().scene()),
        ("coefficients", coefficients().scene()),
        ("crowd", many_series().scene()),
    ]
}

#[test]
fn every_plot_as_svg() {
    for (name, scene) in gallery() {
        insta::assert_snapshot!(name, linsep_plot::svg(&scene));
    }
}

/// Two renderings are identical; the sides are three times those of the SVG.
#[test]
fn every_plot_as_png() {
    for (name, scene) in gallery() {
        let png = linsep_plot::png(&scene);
        assert_eq!(png, linsep_plot::png(&scene), "{name}");
        let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
        assert_eq!(f64::from(side(16)), 3.0 * scene.width, "{name}");
        assert_eq!(f64::from(side(20)), 3.0 * scene.height, "{name}");
        if let Some(folder) = std::env::var_os("LINSEP_GALLERY") {
            for format in Format::ALL {
                let path = std::path::Path::new(&folder).join(format!("{name}.{}", format.name()));
                std::fs::write(path, format.write(&scene)).expect("the folder is there");
            }
        }
    }
}

/// No two texts overlap, and none leaves the plot.
#[test]
fn texts_do_not_overlap() {
    for (name, scene) in gallery() {
        let texts = scene.items.iter().filter_map(|item| match item {
            Item::Text(text) => Some(text),
            Item::Path(_) | Item::Circle(_) => None,
        });
        let boxes: Vec<_> = texts.map(|text| (bounding_box(text), &text.content)).collect();
        for (i, (a, words)) in boxes.iter().enumerate() {
            let inside = a[0] >= 0.0 && a[1] >= 0.0 && a[2] <= scene.width && a[3] <= scene.height;
            assert!(inside, "{name}: {words} exceeds the plot");
            for (b, others) in &boxes[..i] {
                let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
                assert!(apart, "{name}: {words} and {others} overlap");
            }
        }
    }
}

/// Left, top, right and bottom of a text, with the height of capitals.
fn bounding_box(text: &Text) -> [f64; 4] {
    let wide = linsep_plot::text_width(&text.content, text.size);
    let before = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => wide / 2.0,
        Anchor::End => wide,
    };
    let ((x, y), high) = (text.at, 0.73 * text.size);
    if text.upwards {
        [x - high, y + before - wide, x, y + before]
    } else {
        [x - before, y - high, x - before + wide, y]
    }
}

/// No data can cause a panic.
#[test]
fn extreme_data_are_drawn_without_a_panic() {
    let odd = [f64::NAN, f64::INFINITY, f64::MAX, -f64::MAX, 0.0, 1e-320, -5.0];
    let points: Vec<_> = odd.iter().flat_map(|&x| odd.map(|y| (x, y))).collect();
    let marks = [
        Mark::Line(points.clone()),
        Mark::Points(points.clone()),
        Mark::Areas(vec![points.clone(), vec![]]),
        Mark::Segments(points.windows(2).map(|p| [p[0], p[1]]).collect()),
        Mark::HorizontalLine(f64::NAN),
        Mark::VerticalLine(f64::INFINITY),
        Mark::Note((f64::NAN, 0.0), "<&>".into(), Anchor::End),
    ];
    for (x, y) in [
        (Axis::new("x"), Axis::new("y")),
        (Axis::log("x"), Axis::log("y")),
        (Axis::named("x", vec![]), Axis::new("y").range(f64::NAN, 1.0)),
        (Axis::new("x").range(2.0, 2.0), Axis::named("y", vec!["n".repeat(999); 999])),
    ] {
        let chart = Chart::new(&"t".repeat(999), x, y).size(0.0, f64::INFINITY).equal();
        let all = marks.iter().fold(chart.clone(), |chart, mark| {
            chart.named(&"name ".repeat(99), mark.clone(), SeriesStyle::nth(7))
        });
        for chart in [chart, all] {
            let scene = chart.size(300.0, 200.0).scene();
            let svg = linsep_plot::svg(&scene);
            assert!(linsep_plot::png(&scene).starts_with(b"\x89PNG"));
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
