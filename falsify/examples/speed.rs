use linsep_falsify::draw::{Random, Rows, power};
use linsep_falsify::reference::binary::{Loss, Problem};
fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    for loss in Loss::ALL {
        for pen in 0..3 {
            let t = std::time::Instant::now();
            let (mut bad, mut worst) = (0, 0.0f64);
            let mut bads = vec![];
            for seed in 0..n {
                let mut r = Random::new(seed);
                let rows = Rows::draw(&mut r, 2, 0.4);
                let lambda = power(&mut r, -6, 1);
                let (l1, l2) = [(0.0, lambda), (lambda, 0.0), (0.3 * lambda, 0.7 * lambda)][pen];
                let intercept = r.chance(0.7);
                let p = Problem { x: rows.x.clone(), y: rows.class.iter().map(|&c| if c == 1 { 1.0 } else { -1.0 }).collect(), s: rows.s.clone(), loss, l1, l2, intercept };
                match p.reference() {
                    None => { bad += 1; bads.push(seed); }
                    Some(f) => { worst = worst.max(f.radius.unwrap_or(0.0)); }
                }
            }
            println!("{:14} {pen} bad {bad} of {n}, {:.2} ms each, worst radius {worst:e} {:?}", loss.name(), t.elapsed().as_secs_f64() * 1e3 / n as f64, &bads[..bads.len().min(5)]);
        }
    }
}
