//! SHA-256 of a file on disk, which identifies the training data in a model file.

use crate::certificate::hex;
use crate::error::Error;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// Returns the digest of the bytes of a file, in hexadecimal.
pub fn sha256(path: &Path) -> Result<String, Error> {
    let name = path.display().to_string();
    let mut file = File::open(path).map_err(|e| Error::from_io(&name, e))?;
    let (mut hash, mut block) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut block) {
            Ok(0) => return Ok(hex(&hash.finalize())),
            Ok(n) => hash.update(&block[..n]),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(Error::from_io(&name, e)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_of_abc_equals_the_published_value() {
        // FIPS 180-2, B.1.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("abc");
        std::fs::write(&path, "abc").unwrap();
        assert_eq!(
            sha256(&path).unwrap(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert!(sha256(&folder.path().join("nothing")).is_err());
    }
}
