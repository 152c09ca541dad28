//! PNG files from pixels.
//!
//! Four chunks suffice: the header, the pixels per meter (so that the plot has the physical size of
//! its SVG), the rows compressed with zlib, and the end. A row is stored as its difference from the
//! row above, which in charts is mostly zeros.
//!
//! Source: *Portable Network Graphics (PNG) Specification*, third edition, W3C.

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use std::io::Write;

/// Encodes `rgb`, rows of `width` pixels, as a PNG file with the resolution `per_inch` in pixels
/// per inch.
pub(crate) fn encode(width: u32, height: u32, rgb: &[u8], per_inch: f64) -> Vec<u8> {
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    // 8 bits per channel, 3 channels; the only defined compression and filter methods; no
    // interlacing.
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    chunk(&mut out, *b"IHDR", &header);
    let per_metre = (per_inch / 0.0254).round() as u32;
    let physical = [&per_metre.to_be_bytes()[..], &per_metre.to_be_bytes(), &[1]].concat();
    chunk(&mut out, *b"pHYs", &physical);
    chunk(&mut out, *b"IDAT", &pack(width as usize * 3, rgb));
    chunk(&mut out, *b"IEND", &[]);
    out
}

/// Applies filter 2, "up", to every row, and compresses with zlib.
fn pack(stride: usize, rgb: &[u8]) -> Vec<u8> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    let mut above = vec![0; stride];
    let mut line = vec![2; stride + 1];
    for row in rgb.chunks_exact(stride) {
        for ((difference, here), up) in line[1..].iter_mut().zip(row).zip(&above) {
            *difference = here.wrapping_sub(*up);
        }
        packed.write_all(&line).expect("writing to memory does not fail");
        above.copy_from_slice(row);
    }
    packed.finish().expect("writing to memory does not fail")
}

/// Writes length, name, content, and the checksum of name and content.
fn chunk(out: &mut Vec<u8>, name: [u8; 4], content: &[u8]) {
    let mut sum = Crc::new();
    sum.update(&name);
    sum.update(content);
    out.extend((content.len() as u32).to_be_bytes());
    out.extend(name);
    out.extend(content);
    out.extend(sum.sum().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::ZlibDecoder;
    use std::io::Read;

    #[test]
    fn encoded_pixels_decode_to_the_same() {
        let rgb: Vec<u8> = (0..3 * 2 * 3).map(|i| (i * 37 % 256) as u8).collect();
        let png = encode(2, 3, &rgb, 96.0);
        let find = |name: &[u8]| png.windows(4).position(|w| w == name).expect("the chunk") + 4;
        let (header, data, end) = (find(b"IHDR"), find(b"IDAT"), find(b"IEND"));
        assert_eq!(png[header..header + 13], [0, 0, 0, 2, 0, 0, 0, 3, 8, 2, 0, 0, 0]);
        let mut rows = Vec::new();
        ZlibDecoder::new(&png[data..end - 12]).read_to_end(&mut rows).unwrap();
        let mut back = vec![0u8; 6];
        for (row, line) in rgb.chunks(6).zip(rows.chunks(7)) {
            assert_eq!(line[0], 2);
            back.iter_mut().zip(&line[1..]).for_each(|(b, d)| *b = b.wrapping_add(*d));
            assert_eq!(back, row);
        }
        // The constant end of every PNG file, checksum included.
        assert_eq!(png[end - 8..], *b"\0\0\0\0IEND\xae\x42\x60\x82");
    }
}
