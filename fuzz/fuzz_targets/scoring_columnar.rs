#![no_main]

#[path = "../bodies/mod.rs"]
#[allow(dead_code, unused_imports)] // each target runs one body
mod bodies;
#[path = "../known.rs"]
mod known;

libfuzzer_sys::fuzz_target!(init: known::ignore_known_panics(), |data: &[u8]| bodies::scoring_columnar(data));
