#![allow(missing_docs, dead_code)]
use super::encode::Rows;
use super::Setup;
use crate::error::Error;
use crate::model_file::ModelFile;
use linsep_core::Observer;
use linsep_io::ReadOptions;
use serde::{Deserialize, Serialize};
use std::path::Path;
pub struct TestData;
impl TestData {
    pub fn file(_path: &Path, _read: ReadOptions) -> Result<Self, Error> {
        Ok(Self)
    }
}
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Evaluated {
    pub on: String,
    pub held_out: bool,
    pub evaluation: (),
}
impl Setup<'_> {
    pub(super) fn check_test(&self, _test: &TestData) -> Result<(), Error> {
        Ok(())
    }
    pub(super) fn evaluated(
        &self,
        _model_file: &ModelFile,
        _test: Option<&TestData>,
        _aside: Option<&Rows>,
        _watch: &mut dyn Observer,
    ) -> Result<Option<Evaluated>, Error> {
        Ok(None)
    }
}
