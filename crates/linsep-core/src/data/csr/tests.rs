use super::*;

fn problem(d: usize, starts: Vec<usize>, indices: Vec<u32>, values: Vec<f64>) -> String {
    Csr::new(d, starts, indices, values).unwrap_err().to_string()
}

#[test]
fn rows_match_their_values() {
    // (0, 2, 0) / (0, 0, 0) / (1, 0, 3)
    let x = Csr::new(3, vec![0, 1, 1, 3], vec![1, 0, 2], vec![2.0_f32, 1.0, 3.0]).unwrap();
    assert_eq!((x.n(), x.d(), x.stored()), (3, 3, 3));
    let w = [1.0, 10.0, 100.0];
    assert_eq!([x.dot(0, &w), x.dot(1, &w), x.dot(2, &w)], [20.0, 0.0, 301.0]);
    let mut out = [9.0; 3];
    x.copy_row(2, &mut out);
    assert_eq!(out, [1.0, 0.0, 3.0]);
}

/// A small matrix that `by_frequency` would reorder if it were large: rows of a few frequent
/// columns and many rare ones.
fn text_like(n: usize, d: u32) -> Csr<f32> {
    let mut rng = crate::math::rng::Rng::new(5, 0);
    let (mut starts, mut indices) = (vec![0], Vec::new());
    for _ in 0..n {
        let mut row: Vec<u32> =
            (0..40).map(|_| (rng.unit().powi(3) * f64::from(d)) as u32 * 387 % d).collect();
        row.sort_unstable();
        row.dedup();
        indices.extend(row);
        starts.push(indices.len());
    }
    let values = indices.iter().map(|_| (rng.unit() - 0.5) as f32).collect();
    Csr::new(d as usize, starts, indices, values).unwrap()
}

#[test]
fn results_do_not_depend_on_storage_order() {
    let plain = text_like(50, 97);
    let numbered = plain.clone().numbered();
    assert!(numbered.numbering.is_some() && numbered.indices != plain.indices);
    assert_eq!(numbered, plain);
    let rows = [3_usize, 3, 0, 49];
    let few: Vec<u32> = rows.iter().map(|&i| i as u32).collect();
    assert_eq!(numbered.select_rows(&rows), plain.select_rows(&rows));
    assert_eq!(numbered.view_rows(&few), plain.view_rows(&few));
    let w: Vec<f64> = (0..3 * 97).map(|j| f64::from(j).sin()).collect();
    let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    for i in 0..50 {
        let of = |x: &Csr<f32>| {
            let (mut z, mut u) = ([0.0; 3], w.clone());
            z[0] = x.score(i, &w[..97]);
            x.axpy(0.5, i, &mut u);
            x.axpy_squares(2.0, i, &mut u);
            x.add_to_weights(i, &[1.0, 2.0, 3.0], &mut u);
            x.add(i, -1.0, &mut u[..97]);
            x.add_weights(i, &w, &mut z);
            u.extend(z);
            u.extend([x.dot(i, &w), x.norm_sq(i)]);
            u
        };
        assert!(near(&of(&numbered), &of(&plain)), "row {i}");
    }
    let c: Vec<f64> = (0..50).map(f64::from).collect();
    let gram = |x: &Csr<f32>| {
        let mut gram = vec![0.0; 98 * 98];
        x.add_gram(0..50, &c, &mut gram);
        gram
    };
    assert!(near(&gram(&numbered), &gram(&plain)));
}

#[test]
fn storage_order_preserves_scores_of_translated_hyperplanes() {
    let plain = text_like(300, 1000);
    let (stored, numbering) = plain.clone().numbered().as_stored().unwrap();
    assert!(stored.cut.is_some() && stored.as_stored().is_none() && stored != plain);
    let hyperplane =
        crate::data::Hyperplane { w: (0..1000).map(|j| f64::from(j).cos()).collect(), b: 0.5 };
    let own = numbering.to_stored(&hyperplane);
    for i in 0..300 {
        assert!((hyperplane.score(&plain, i) - own.score(&stored, i)).abs() < 1e-12);
        assert!(stored.row(i).0.list().is_sorted_by(|a, b| a < b));
    }
    // About half of all values are on either side, and frequent columns are stored first.
    let second: usize = stored.rows.iter().map(|row| row.end - row.middle).sum();
    assert!((second as f64 / stored.stored() as f64 - 0.5).abs() < 0.1);
    let first = |x: &Csr<f32>| x.indices.list().iter().filter(|&&j| j < 100).count();
    assert!(2 * first(&stored) > 3 * first(&plain), "{} {}", first(&stored), first(&plain));
}

#[test]
fn small_matrices_and_views_keep_their_column_order() {
    assert!(text_like(300, 1000).by_frequency().numbering.is_none());
    let large = text_like(20_000, 40_000);
    assert!(large.view_rows(&[0, 2, 1]).by_frequency().numbering.is_none());
    let numbered = large.clone().by_frequency();
    assert!(numbered.numbering.is_some());
    assert!(numbered.bytes() == large.bytes() + 4 * 40_000);
}

#[test]
fn inconsistent_parts_are_rejected() {
    assert_eq!(problem(2, vec![], vec![], vec![]), "rows: expected at least one, found none");
    assert!(problem(2, vec![0, 2], vec![1, 0], vec![1.0; 2]).contains("ascend"));
    assert!(problem(2, vec![0, 2], vec![1, 1], vec![1.0; 2]).contains("at most once"));
    assert!(problem(2, vec![0, 1], vec![2], vec![1.0]).contains("beyond the last"));
    assert!(problem(2, vec![1, 1], vec![0], vec![1.0]).contains("element 0"));
    assert!(problem(2, vec![0, 5, 1], vec![0], vec![1.0]).contains("the end precedes the start"));
    assert!(problem(2, vec![0, 2], vec![0], vec![1.0]).contains("last stored"));
    assert!(problem(2, vec![0, 1], vec![0], vec![f64::INFINITY]).contains("found inf"));
    assert!(problem(2, vec![0, 1], vec![0], vec![]).contains("found 0"));
}
