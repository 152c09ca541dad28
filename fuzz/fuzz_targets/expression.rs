#![no_main]

#[path = "../bodies.rs"]
#[allow(dead_code)] // each target runs one of them
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::expression(data));
