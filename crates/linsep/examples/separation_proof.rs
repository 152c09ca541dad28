//! A proof that no line separates XOR: found, saved, loaded, and verified in exact arithmetic by a
//! checker that shares no code with the search.
//!
//! `cargo run -p linsep --example separation_proof`

use linsep::prelude::*;

/// The table of this example.
const XOR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/xor.csv");

/// Prints the proof, and whether it holds for XOR and for XOR with one class changed.
pub fn main() -> Result<(), Error> {
    let path = std::env::temp_dir().join("xor.certificate.json");
    let job = Separable::default();

    let outcome = job.run(Input::read(XOR)?, &mut ())?;
    println!("XOR is a case of {}.", outcome.separation.verdict.name());
    println!("A positive combination of these signed rows is exactly zero:");
    for row in outcome.dependence.iter().flat_map(|found| &found.rows) {
        let share = row.share.unwrap_or(f64::NAN);
        println!("  {share} × row {} {:?} of class {}", row.row + 1, row.features, row.class);
    }

    if let Some(certificate) = &outcome.certificate {
        certificate.save(&path)?;
    }
    let certificate = SeparationCertificate::load(&path)?;
    let verified = job.verify(&certificate, "the certificate", Input::read(XOR)?, &mut ())?;
    println!("The checker confirms: {}.", verified.separation.name());

    let and = "x1,x2,class\n0,0,no\n0,1,no\n1,0,no\n1,1,yes\n";
    let and = read_source(Source::from_bytes("and.csv", and), &ReadOptions::default())?;
    let refused = job.verify(&certificate, "the certificate", and, &mut ()).err();
    println!("For AND the checker says: {}", refused.map_or(String::new(), |e| e.to_string()));
    Ok(())
}
