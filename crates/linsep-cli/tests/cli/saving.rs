//! Saved models can be opened, for data of any scale.

use crate::harness::Sandbox;

#[test]
fn models_of_any_scale_can_be_opened() {
    let desk = Sandbox::new();
    let mut opened = 0;
    for exponent in [-310, -300, -155, 155, 200, 300, 305] {
        let mut rows = String::from("a,b,class\n");
        for i in 0..40 {
            let (a, b) = (i * 7 % 40, i * 11 % 40);
            let class = if (a + 2 * b + i * 13 % 29) % 100 > 50 { "p" } else { "n" };
            rows += &format!(
                "{}e{exponent},{}e{exponent},{class}\n",
                f64::from(a) / 10.0 - 2.0,
                f64::from(b) / 10.0
            );
        }
        desk.file("data.csv", rows);
        for options in [
            "",
            "--infer",
            "--infer --intervals profile",
            "--firth",
            "--tune",
            "--no-standardize",
            "--method fisher",
        ] {
            let run = desk.run(&format!("fit data.csv {options} -o m.linsep"));
            if run.code != 0 {
                assert!(run.stderr.contains("error: "), "{exponent} {options}: {}", run.stderr);
                continue;
            }
            opened += 1;
            for words in ["show m.linsep", "show m.linsep --json", "predict m.linsep data.csv"] {
                let again = desk.run(words);
                assert_eq!(again.code, 0, "{exponent} {options}, {words}: {}", again.stderr);
            }
        }
    }
    assert!(opened > 25, "{opened}");
}
