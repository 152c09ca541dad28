//! File formats that linsep writes and reads: models and certificates.

use linsep::model_file::seal;
use linsep::{ModelFile, SeparationCertificate};

/// Reads a model file; a valid model is unchanged by writing and reading.
pub(crate) fn model(data: &[u8]) {
    // The checksum rejects nearly all changes; with a checksum that fits, the parts must be safe
    // as well.
    let mut sealed = data.to_vec();
    seal(&mut sealed);
    for data in [data, &sealed] {
        if let Ok(model_file) = ModelFile::from_bytes("m.linsep", data) {
            let again = model_file.to_bytes().expect("what was read can be written");
            let read = ModelFile::from_bytes("m.linsep", &again).expect("and read");
            assert_eq!(read.to_bytes().expect("and written"), again);
        }
    }
}

/// Reads a certificate. A valid certificate is unchanged by writing and reading, and an
/// inconsistent one is rejected without data.
pub(crate) fn certificate(data: &[u8]) {
    if let Ok(certificate) = SeparationCertificate::from_bytes("c.json", data) {
        let again = SeparationCertificate::from_bytes("c.json", &certificate.to_bytes())
            .expect("it was read before");
        assert_eq!(again, certificate);
        let _ = certificate.evidence("c.json");
    }
    // The checksum rejects nearly all changes; without the checksum, the parts must be safe as
    // well.
    if let Ok(certificate) = serde_json::from_slice::<SeparationCertificate>(data) {
        let _ = certificate.evidence("c.json");
    }
}
