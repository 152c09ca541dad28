#![no_main]

#[path = "../bodies/mod.rs"]
#[allow(dead_code, unused_imports)] // each target runs one body
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::options(data));
