//! What linsep writes and reads again: models and certificates.

use linsep_io::{Bundle, Certificate};

/// A model file: what loads is written back as it was understood.
pub(crate) fn model(data: &[u8]) {
    if let Ok(bundle) = Bundle::from_bytes("m.linsep", data) {
        let again = bundle.to_bytes().expect("what was read can be written");
        assert_eq!(Bundle::from_bytes("m.linsep", &again).expect("and read"), bundle);
    }
}

/// A certificate: what is read is written back as it was, and no data is needed to see that it makes no sense.
pub(crate) fn certificate(data: &[u8]) {
    if let Ok(certificate) = Certificate::from_bytes("c.json", data) {
        let again =
            Certificate::from_bytes("c.json", &certificate.to_bytes()).expect("it was read before");
        assert_eq!(again, certificate);
        let _ = certificate.evidence("c.json");
    }
    // The checksum stops nearly all changes; without it, the parts must be safe as well.
    if let Ok(certificate) = serde_json::from_slice::<Certificate>(data) {
        let _ = certificate.evidence("c.json");
    }
}
