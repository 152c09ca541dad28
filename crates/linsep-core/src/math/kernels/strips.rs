//! Gram products of all pairs of columns, for rows with many zeros.

/// Values per strip: the width of the widest vector type.
pub(crate) const ACROSS: usize = 8;

/// The values of [`ACROSS`] adjacent columns in one row.
pub(crate) type Strip = [f64; ACROSS];

/// Whether the processor has a fused multiply-add, without which [`add_strips`] is slow.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_fused_multiply_add() -> bool {
    std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("fma")
        && std::is_x86_feature_detected!("bmi1")
}

/// Whether the processor has a fused multiply-add, without which [`add_strips`] is slow.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn has_fused_multiply_add() -> bool {
    cfg!(target_arch = "aarch64")
}

/// sums ← sums + the products of all pairs of columns, for rows with many zeros.
///
/// Columns are split into strips of [`ACROSS`]. Strip j of row r is `strips[64 w j + r]`, with w =
/// `words`. For each strip, w bit masks of 64 bits mark the rows where it is nonzero; other rows
/// are not read. Pairs of strips j ≤ i are in the order (0, 0), (0, 1), …, (1, 1), …. For each
/// pair, `sums` has the products of each column of j with each column of i. Every product is added
/// by one fused multiply-add, in the order of the rows, so the bits are the same on every machine.
///
/// # Panics
///
/// If the lengths are inconsistent.
#[allow(unsafe_code)]
pub(crate) fn add_strips(
    strips: &[Strip],
    filled: &[u64],
    words: usize,
    sums: &mut [[Strip; ACROSS]],
) {
    #[cfg(target_arch = "x86_64")]
    if has_fused_multiply_add() {
        if std::is_x86_feature_detected!("avx512f") {
            // SAFETY: `has_fused_multiply_add` and the line above detected the target features of
            // the function.
            unsafe { add_strips_by_eight(strips, filled, words, sums) };
        } else {
            // SAFETY: `has_fused_multiply_add` detected the target features of the function.
            unsafe { add_strips_by_four(strips, filled, words, sums) };
        }
        return;
    }
    add_pairs::<4>(strips, filled, words, sums);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma,bmi1")]
fn add_strips_by_eight(s: &[Strip], filled: &[u64], words: usize, sums: &mut [[Strip; ACROSS]]) {
    add_pairs::<8>(s, filled, words, sums);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1")]
fn add_strips_by_four(s: &[Strip], filled: &[u64], words: usize, sums: &mut [[Strip; ACROSS]]) {
    add_pairs::<4>(s, filled, words, sums);
}

/// Adds the products of every pair of strips, for `HIGH` columns of the first at a time, as many as
/// fit in registers.
#[inline(always)] // inlined into versions with more target features
#[allow(clippy::inline_always)]
fn add_pairs<const HIGH: usize>(
    strips: &[Strip],
    filled: &[u64],
    words: usize,
    sums: &mut [[Strip; ACROSS]],
) {
    let wide = filled.len() / words;
    let rows = 64 * words;
    let mut at = 0;
    for j in 0..wide {
        let (a, in_a) = (&strips[j * rows..][..rows], &filled[j * words..][..words]);
        for i in j..wide {
            let (b, in_b) = (&strips[i * rows..][..rows], &filled[i * words..][..words]);
            for (h, part) in sums[at].as_chunks_mut::<HIGH>().0.iter_mut().enumerate() {
                add_pair(a, b, in_a, in_b, h * HIGH, part);
            }
            at += 1;
        }
    }
}

/// Adds the products of columns `from..from + HIGH` of one strip with another, over the rows where
/// both are nonzero.
#[inline(always)]
#[allow(clippy::inline_always)]
fn add_pair<const HIGH: usize>(
    a: &[Strip],
    b: &[Strip],
    in_a: &[u64],
    in_b: &[u64],
    from: usize,
    out: &mut [Strip; HIGH],
) {
    let mut sums = *out;
    let words = a.as_chunks::<64>().0.iter().zip(b.as_chunks::<64>().0);
    for ((a, b), (in_a, in_b)) in words.zip(in_a.iter().zip(in_b)) {
        let mut both = in_a & in_b;
        while both != 0 {
            let r = both.trailing_zeros() as usize;
            both &= both - 1;
            let (a, b) = (&a[r], &b[r]);
            for p in 0..HIGH {
                for q in 0..ACROSS {
                    sums[p][q] = a[from + p].mul_add(b[q], sums[p][q]);
                }
            }
        }
    }
    *out = sums;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn add_strips_matches_plain_products(words in 1..3_usize, wide in 1..4_usize, seed in any::<u64>()) {
            let mut rng = crate::math::rng::Rng::new(seed, 0);
            let rows = 64 * words;
            let mut filled = vec![0_u64; wide * words];
            // Strips of unmarked rows are never read.
            let mut strips = vec![[f64::NAN; ACROSS]; wide * rows];
            let mut plain = vec![vec![0.0; wide * ACROSS]; rows];
            for j in 0..wide {
                for r in (0..rows).filter(|_| rng.unit() < 0.3).collect::<Vec<_>>() {
                    filled[j * words + r / 64] |= 1 << (r % 64);
                    strips[j * rows + r] = std::array::from_fn(|_| (rng.unit() * 200.0).round() - 100.0);
                    plain[r][j * ACROSS..][..ACROSS].copy_from_slice(&strips[j * rows + r]);
                }
            }
            let pairs: Vec<(usize, usize)> = (0..wide).flat_map(|j| (j..wide).map(move |i| (j, i))).collect();
            let mut sums = vec![[[1.0; ACROSS]; ACROSS]; pairs.len()];
            let mut by_four = sums.clone();
            add_strips(&strips, &filled, words, &mut sums);
            add_pairs::<4>(&strips, &filled, words, &mut by_four);
            prop_assert_eq!(&sums, &by_four);
            for ((j, i), sums) in pairs.into_iter().zip(&sums) {
                for p in 0..ACROSS {
                    for q in 0..ACROSS {
                        let want: f64 = plain.iter().map(|row| row[j * ACROSS + p] * row[i * ACROSS + q]).sum();
                        prop_assert_eq!(sums[p][q], want + 1.0);
                    }
                }
            }
        }
    }
}
