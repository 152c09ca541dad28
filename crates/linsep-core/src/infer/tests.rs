//! Closed forms, invariances and limits of the inference.
//!
//! Over 400 lines: all tests share the problems generated here.

use super::*;
use crate::certify::check::SeparationKind;
use crate::certify::separation::separate_if_small;
use crate::data::{Design, Labels};
use crate::math::rng::Rng;
use proptest::prelude::*;

/// A problem that owns its rows.
#[derive(Clone)]
struct Data {
    d: usize,
    rows: Vec<Vec<f64>>,
    positive: Vec<bool>,
    s: Vec<f64>,
}

impl Data {
    /// Counts of a 2 × 2 table: column 0 or 1, negative or positive.
    fn table(counts: [f64; 4]) -> Self {
        Self {
            d: 1,
            rows: vec![vec![0.0], vec![0.0], vec![1.0], vec![1.0]],
            positive: vec![false, true, false, true],
            s: counts.to_vec(),
        }
    }

    /// Integer features with noisy classes, and integer sample weights from 0 to 3.
    fn noisy(seed: u64, n: usize, d: usize) -> Self {
        let mut rng = Rng::new(seed, 7);
        let whole = |rng: &mut Rng| rng.below(7) as f64 - 3.0;
        let rows: Vec<Vec<f64>> =
            (0..n).map(|_| (0..d).map(|_| whole(&mut rng)).collect()).collect();
        let positive = rows.iter().map(|row| row[0] + 4.0 * rng.unit() > 2.0 + 0.5 * row[d - 1]);
        let positive: Vec<bool> = positive.collect();
        let s = (0..n).map(|_| rng.below(4) as f64).collect();
        Self { d, rows, positive, s }
    }

    fn labels(&self) -> Labels {
        Labels::parse(self.positive.iter().map(|&p| if p { "yes" } else { "no" }))
    }

    fn ask_of(&self, x: &Design, settings: &Settings) -> InferenceResult {
        let labels = self.labels();
        let problem = Problem::new(x, &labels, Some(self.s.clone())).unwrap();
        infer(&problem, None, settings, &mut ()).unwrap()
    }

    fn dense(&self) -> Design {
        Design::dense(self.rows.len(), self.d, self.rows.concat()).unwrap()
    }

    fn ask(&self, settings: &Settings) -> InferenceResult {
        self.ask_of(&self.dense(), settings)
    }

    fn known(&self, settings: &Settings) -> Inference {
        let found = self.ask(settings);
        assert_eq!(
            found.stop,
            if settings.firth { StopReason::Stalled } else { StopReason::Optimal }
        );
        found.inference.unwrap()
    }
}

fn firth() -> Settings {
    Settings { firth: true, ..Settings::default() }
}

fn near(a: f64, b: f64, most: f64) {
    assert!((a - b).abs() <= most * (1.0 + b.abs()), "{a} instead of {b}");
}

/// Asserts that all values of two results are close.
fn same(one: &Inference, other: &Inference, most: f64) {
    assert_eq!(one.coefficients.len(), other.coefficients.len());
    for (a, b) in one.coefficients.iter().zip(&other.coefficients) {
        let numbers = |c: &Coefficient| {
            let ratio = c.ratio.map_or([0.0; 2], |test| [test.statistic, test.p]);
            [c.estimate, c.error, c.z, c.p, ratio[0], ratio[1]]
        };
        numbers(a).into_iter().zip(numbers(b)).for_each(|(a, b)| near(a, b, most));
        // For nearly separated rows an end may be missing, depending on rounding.
        let ends = a.interval.into_iter().zip(b.interval);
        ends.filter(|(a, b)| !a.is_nan() && !b.is_nan()).for_each(|(a, b)| near(a, b, most));
    }
    near(one.log_likelihood, other.log_likelihood, most);
    near(one.null_log_likelihood, other.null_log_likelihood, most);
    assert_eq!(one.n, other.n);
}

/// Closed forms of a 2 × 2 table: ln(ad/bc), √(1/a + 1/b + 1/c + 1/d), and G² = 2 Σ O ln(O/E).
#[test]
fn two_by_two_table_matches_closed_forms() {
    let [a, b, c, d] = [30.0, 12.0, 9.0, 21.0_f64];
    let known = Data::table([a, b, c, d]).known(&Settings::default());
    let [slope, bias] = &known.coefficients[..] else { panic!("two coefficients") };
    near(slope.estimate, (a * d / (b * c)).ln(), 1e-14);
    near(slope.error, (1.0 / a + 1.0 / b + 1.0 / c + 1.0 / d).sqrt(), 1e-14);
    near(bias.estimate, (b / a).ln(), 1e-14);
    near(bias.error, (1.0 / a + 1.0 / b).sqrt(), 1e-14);
    assert_eq!((slope.column, bias.column, known.n), (Some(0), None, 72.0));
    let n = a + b + c + d;
    let cell = |o: f64, row: f64, column: f64| 2.0 * o * (o * n / (row * column)).ln();
    let g = cell(a, a + b, a + c)
        + cell(b, a + b, b + d)
        + cell(c, c + d, a + c)
        + cell(d, c + d, b + d);
    for test in [known.ratio, slope.ratio] {
        near(test.unwrap().statistic, g, 1e-12);
        assert_eq!(test.unwrap().df, 1);
    }
    near(slope.ratio.unwrap().p, tail::chi_squared(g, 1), 1e-12);
    assert!(known.distance_to_maximum.unwrap() < 1e-12, "{:?}", known.distance_to_maximum);
    near(known.aic().unwrap(), 4.0 - 2.0 * known.log_likelihood, 1e-15);
    near(known.bic().unwrap(), 2.0 * n.ln() - 2.0 * known.log_likelihood, 1e-15);
    near(known.mcfadden().unwrap(), g / known.null_deviance(), 1e-12);
}

/// The end t of the interval of the slope solves an equation: given t, the intercept is the root of
/// one score.
#[test]
fn profile_interval_ends_solve_the_likelihood_equation() {
    let [a, b, c, d] = [7.0, 2.0, 3.0, 9.0_f64];
    let known = Data::table([a, b, c, d]).known(&Settings { level: 0.9, ..Settings::default() });
    let sigma = |z: f64| 1.0 / (1.0 + (-z).exp());
    let value = |t: f64| {
        let (mut low, mut high) = (-30.0, 30.0);
        for _ in 0..200 {
            let bias = 0.5 * (low + high);
            let score = b - (a + b) * sigma(bias) + d - (c + d) * sigma(bias + t);
            *(if score > 0.0 { &mut low } else { &mut high }) = bias;
        }
        let term = |k: f64, z: f64| k * sigma(z).ln();
        term(b, low) + term(a, -low) + term(d, low + t) + term(c, -low - t)
    };
    let slope = known.coefficients[0];
    let limit = tail::two_sided_quantile(0.1).powi(2);
    for end in slope.interval {
        near(2.0 * (value(slope.estimate) - value(end)), limit, 1e-9);
    }
    assert!(slope.interval[0] < slope.estimate && slope.estimate < slope.interval[1]);
    // The interval is longer on the side with few rows.
    let wald = Data::table([a, b, c, d]).known(&Settings {
        intervals: Intervals::Wald,
        level: 0.9,
        ..Settings::default()
    });
    assert_eq!(wald.intervals, Intervals::Wald);
    let [low, high] = wald.coefficients[0].interval;
    near(low + high, 2.0 * slope.estimate, 1e-13);
    near(high - low, 2.0 * limit.sqrt() * slope.error, 1e-13);
    assert!(slope.interval[1] > high);
}

/// With as many coefficients as groups, Firth's penalty equals half an observation added to each
/// cell.
#[test]
fn firth_on_a_table_adds_half_a_count_per_cell() {
    for counts in [[7.0, 2.0, 3.0, 9.0], [20.0, 1.0, 5.0, 0.0], [4.0, 0.0, 0.0, 5.0]] {
        let penalized = Data::table(counts).known(&firth());
        let more = Data::table(counts.map(|n| n + 0.5)).known(&Settings::default());
        for (a, b) in penalized.coefficients.iter().zip(&more.coefficients) {
            near(a.estimate, b.estimate, 1e-11);
            near(a.interval[0], b.interval[0], 1e-8);
            near(a.interval[1], b.interval[1], 1e-8);
            near(a.ratio.unwrap().statistic, b.ratio.unwrap().statistic, 1e-9);
        }
        near(penalized.ratio.unwrap().statistic, more.ratio.unwrap().statistic, 1e-9);
        assert!(penalized.aic().is_none() && penalized.distance_to_maximum.is_none());
        // ½ ln det I at the estimate: det I is the product of n π(1 − π) over the two groups.
        let [w, b] = [penalized.coefficients[0].estimate, penalized.coefficients[1].estimate];
        let group = |n: f64, z: f64| n / (2.0 + z.exp() + (-z).exp());
        let det = group(counts[0] + counts[1], b) * group(counts[2] + counts[3], w + b);
        near(
            penalized.penalized_log_likelihood.unwrap() - penalized.log_likelihood,
            0.5 * det.ln(),
            1e-11,
        );
    }
}

#[test]
fn sandwich_equals_information_on_a_table_of_counts() {
    let data = Data::table([30.0, 12.0, 9.0, 21.0]);
    let errors = |errors| data.known(&Settings { standard_errors: errors, ..Settings::default() });
    let (model, hc0, hc1) =
        (errors(StandardErrors::Model), errors(StandardErrors::Hc0), errors(StandardErrors::Hc1));
    assert_eq!((hc0.intervals, model.intervals), (Intervals::Wald, Intervals::Profile));
    for k in 0..2 {
        near(hc0.coefficients[k].error, model.coefficients[k].error, 1e-13);
        let factor = (72.0_f64 / 70.0).sqrt();
        near(hc1.coefficients[k].error, factor * model.coefficients[k].error, 1e-13);
    }
}

#[test]
fn separated_classes_have_only_a_firth_estimate() {
    // Quasi-complete: no positive row has value 0. Complete: in addition, no negative row has
    // value 1.
    for counts in [[20.0, 0.0, 5.0, 4.0], [20.0, 0.0, 0.0, 5.0]] {
        let found = Data::table(counts).ask(&Settings::default());
        assert_eq!((found.stop, found.inference.is_none()), (StopReason::NoMinimum, true));
        let known = Data::table(counts).known(&firth());
        assert!(known.coefficients.iter().all(|c| c.interval.iter().all(|end| end.is_finite())));
    }
}

/// Six separable rows: Fisher scoring alone needs hundreds of steps to reach the end of the second
/// column's profile.
#[test]
fn firth_profile_intervals_are_finite_with_six_rows() {
    let rows = [[1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [3.0, 1.0], [4.0, 0.0], [5.0, 1.0]];
    let data = Data {
        d: 2,
        rows: rows.map(|row| row.to_vec()).to_vec(),
        positive: vec![false, false, false, true, true, true],
        s: vec![1.0; 6],
    };
    let found = data.ask(&firth());
    assert!(found.steps < 30, "{}", found.steps);
    let known = found.inference.unwrap();
    let z = known.coefficients[1];
    near(z.estimate, 0.764_710_506_292_14, 1e-12);
    // A profile followed in small steps, by Fisher scoring alone, crosses χ² = 3.84 between these.
    assert!(z.interval[1] > 10.5 && z.interval[1] < 10.8, "{:?}", z.interval);
    for c in known.coefficients {
        assert!(c.interval[0] < c.estimate && c.interval[1] > c.estimate, "{c:?}");
        assert!(c.interval.iter().all(|end| end.is_finite()), "{c:?}");
    }
}

/// A maximum is found and proved exactly if the classes overlap: many small tables, compared with
/// the exact separation.
#[test]
fn maximum_exists_if_and_only_if_classes_overlap() {
    let mut met = [0, 0];
    for seed in 0..300 {
        let mut data = Data::noisy(seed, 12, 2);
        data.s.iter_mut().for_each(|s| *s += 1.0);
        if data.positive.iter().all(|p| *p == data.positive[0]) {
            continue;
        }
        let (x, labels) = (data.dense(), data.labels());
        let problem = Problem::new(&x, &labels, Some(data.s.clone())).unwrap();
        let verdict = separate_if_small(&problem, None, &mut ()).unwrap().unwrap().verdict;
        assert_ne!(verdict, SeparationKind::Undecided);
        let exists = verdict == SeparationKind::Overlap;
        let found = infer(&problem, None, &Settings::default(), &mut ()).unwrap();
        assert_eq!(found.inference.is_some(), exists, "seed {seed}: {:?}", found.stop);
        assert_eq!(found.stop == StopReason::NoMinimum, !exists, "seed {seed}");
        if let Some(known) = &found.inference {
            assert!(known.distance_to_maximum.unwrap() < 1e-11);
        }
        met[usize::from(exists)] += 1;
    }
    assert!(met[0] > 20 && met[1] > 20, "both kinds are met: {met:?}");
}

#[test]
fn aliased_columns_are_reported() {
    let mut data = Data::noisy(3, 60, 2);
    data.rows.iter_mut().for_each(|row| {
        let sum = row[0] - 2.0 * row[1];
        row.extend([sum, 5.0]);
    });
    data.d = 4;
    let known = data.known(&Settings::default());
    let alias = |column, of: &[usize]| Aliased { column, of: of.to_vec() };
    assert_eq!(known.aliased, [alias(2, &[0, 1]), alias(3, &[])]);
    let mut fewer = data.clone();
    fewer.rows.iter_mut().for_each(|row| row.truncate(2));
    fewer.d = 2;
    same(&known, &fewer.known(&Settings::default()), 1e-10);
    // Excluding the columns gives the same result without aliases.
    let left = data.known(&Settings { excluded_columns: vec![2, 3], ..Settings::default() });
    assert!(left.aliased.is_empty());
    same(&left, &known, 1e-12);
}

#[test]
fn more_columns_than_rows_are_separated() {
    let mut data = Data::noisy(5, 8, 12);
    data.s.fill(1.0);
    data.positive = (0..8).map(|i| i % 2 == 0).collect();
    let found = data.ask(&Settings::default());
    assert_eq!((found.stop, found.inference.is_none()), (StopReason::NoMinimum, true));
}

#[test]
fn uninformative_and_constant_columns_do_not_raise_the_likelihood() {
    let mut data = Data::table([10.0, 10.0, 20.0, 20.0]);
    let known = data.known(&Settings::default());
    near(known.ratio.unwrap().statistic, 0.0, 1e-12);
    near(known.coefficients[0].ratio.unwrap().p, 1.0, 1e-6);
    // Without columns there is no test, and the model is the intercept-only model.
    data.rows.iter_mut().for_each(|row| row[0] = 1.0);
    let none = data.known(&Settings::default());
    assert_eq!((none.p(), none.ratio), (1, None));
    near(none.log_likelihood, none.null_log_likelihood, 1e-14);
}

#[test]
fn joint_test_of_one_column_equals_its_own_tests() {
    let data = Data::noisy(11, 80, 3);
    let groups = vec![vec![1], vec![0, 2], vec![7]];
    let known = data.known(&Settings { joint_groups: groups, ..Settings::default() });
    assert_eq!(known.joint_tests.len(), 2, "a column without a coefficient is no group");
    let (alone, c) = (&known.joint_tests[0], known.coefficients[1]);
    near(alone.wald.unwrap().statistic, c.z * c.z, 1e-11);
    near(alone.ratio.unwrap().statistic, c.ratio.unwrap().statistic, 1e-9);
    assert_eq!(known.joint_tests[1].ratio.unwrap().df, 2);
    let both = data.known(&Settings { excluded_columns: vec![0, 2], ..Settings::default() });
    let fall = 2.0 * (known.log_likelihood - both.log_likelihood);
    near(known.joint_tests[1].ratio.unwrap().statistic, fall, 1e-10);
}

#[test]
fn units_change_only_the_reported_values() {
    // The same rows in tiny and huge units, far from 0: once by `units`, once by conversion of the
    // data.
    let data = Data::noisy(17, 90, 3);
    let by = Standardization { mean: vec![5e7, -1e-8, 0.25], scale: vec![1e8, 1e-8, 0.5] };
    let in_units = data.known(&Settings { units: Some(by.clone()), ..Settings::default() });
    let mut fact = data.clone();
    fact.rows.iter_mut().for_each(|row| *row = by.unscale(row));
    let known = fact.known(&Settings::default());
    let plain = data.known(&Settings::default());
    for (j, (in_units, known)) in in_units.coefficients.iter().zip(&known.coefficients).enumerate()
    {
        near(in_units.z, known.z, 1e-7);
        for (a, b) in in_units.interval.into_iter().zip(known.interval) {
            near(
                (a - in_units.estimate) / in_units.error,
                (b - known.estimate) / known.error,
                1e-6,
            );
        }
        near(in_units.estimate / known.estimate, 1.0, 1e-7);
        if j < 3 {
            near(in_units.estimate * by.scale[j], plain.coefficients[j].estimate, 1e-12);
            near(in_units.z, plain.coefficients[j].z, 1e-12);
            near(
                in_units.ratio.unwrap().statistic,
                plain.coefficients[j].ratio.unwrap().statistic,
                1e-9,
            );
        }
    }
    // The hyperplane is in the units of the columns.
    let hyperplane = fact.ask(&Settings::default()).hyperplane;
    near(hyperplane.w[0] / known.coefficients[0].estimate, 1.0, 1e-12);
    near(hyperplane.b / known.coefficients[3].estimate, 1.0, 1e-9);
}

#[test]
fn columns_with_large_means_are_not_aliased() {
    let data = Data::noisy(23, 70, 2);
    let mut far = data.clone();
    far.rows.iter_mut().for_each(|row| row[0] += 1e6);
    let (close, far) = (data.known(&Settings::default()), far.known(&Settings::default()));
    assert!(far.aliased.is_empty());
    near(far.coefficients[0].z, close.coefficients[0].z, 1e-9);
    near(far.coefficients[0].interval[1], close.coefficients[0].interval[1], 1e-9);
}

#[test]
fn same_bits_for_any_thread_count_and_close_for_sparse_storage() {
    let data = Data::noisy(29, 9_000, 12);
    let on = |threads: usize, settings: &Settings| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| data.ask(settings))
    };
    for settings in [
        Settings::default(),
        firth(),
        Settings { standard_errors: StandardErrors::Hc1, ..Settings::default() },
    ] {
        let settings = Settings { intervals: Intervals::Wald, ..settings };
        assert_eq!(on(1, &settings), on(3, &settings));
    }
    let (mut starts, mut indices, mut values) = (vec![0], vec![], vec![]);
    for row in &data.rows {
        for (j, &v) in row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
            indices.push(j as u32);
            values.push(v);
        }
        starts.push(indices.len());
    }
    let sparse = Design::sparse(12, starts, indices, values).unwrap();
    let settings = Settings { intervals: Intervals::Wald, ..firth() };
    let other = data.ask_of(&sparse, &settings).inference.unwrap();
    same(&other, &data.known(&settings), 1e-10);
}

#[test]
fn observer_can_stop_inference() {
    struct Enough(u64);
    impl Observer for Enough {
        fn epoch(&mut self, _: &crate::control::Epoch) -> bool {
            self.0 = self.0.saturating_sub(1);
            self.0 > 0
        }
    }
    let data = Data::noisy(31, 50, 2);
    let (x, labels) = (data.dense(), data.labels());
    let problem = Problem::new(&x, &labels, Some(data.s.clone())).unwrap();
    let ask = |looks| infer(&problem, None, &Settings::default(), &mut Enough(looks)).unwrap();
    let early = ask(2);
    assert_eq!((early.stop, early.inference), (StopReason::Interrupted, None));
    // Stopped during the profiles: the Wald results are kept.
    let whole = ask(1000);
    let late = ask(whole.steps + 3).inference.unwrap();
    assert_eq!(late.intervals, Intervals::Wald);
    assert!(late.coefficients.iter().all(|c| c.ratio.is_none()));
    assert_eq!(whole.inference.unwrap().intervals, Intervals::Profile);
}

#[test]
fn invalid_settings_are_rejected() {
    let refusal = |settings: Settings| settings.check().unwrap_err().to_string();
    let level = |level| refusal(Settings { level, ..Settings::default() });
    assert_eq!(level(1.0), "`level`: expected a number between 0 and 1, found 1");
    assert_eq!(level(f64::NAN), "`level`: expected a number between 0 and 1, found NaN");
    let robust = Settings { standard_errors: StandardErrors::Hc0, ..Settings::default() };
    assert_eq!(
        refusal(Settings { firth: true, ..robust.clone() }),
        "`standard-errors=hc0` requires maximum likelihood without Firth's penalty; use model"
    );
    assert_eq!(
        refusal(Settings { intervals: Intervals::Profile, ..robust }),
        "`standard-errors=hc0` requires Wald intervals; use model"
    );
    let x = Design::dense(3, 1, vec![0.0, 1.0, 2.0]).unwrap();
    let labels = Labels::parse(["a", "b", "c"]);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let error = infer(&problem, None, &Settings::default(), &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "`infer` requires two classes, found 3");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn integer_weight_equals_repeated_rows(seed in 0_u64..1000, penalized: bool) {
        let data = Data::noisy(seed, 60, 3);
        let order: Vec<usize> =
            (0..60).flat_map(|i| std::iter::repeat_n(i, data.s[i] as usize)).collect();
        let repeated = Data {
            d: 3,
            rows: order.iter().map(|&i| data.rows[i].clone()).collect(),
            positive: order.iter().map(|&i| data.positive[i]).collect(),
            s: vec![1.0; order.len()],
        };
        for standard_errors in [StandardErrors::Model, StandardErrors::Hc0, StandardErrors::Hc1] {
            let settings = Settings {
                firth: penalized && standard_errors == StandardErrors::Model,
                standard_errors,
                ..Settings::default()
            };
            let (one, other) = (data.ask(&settings), repeated.ask(&settings));
            prop_assert_eq!(one.stop, other.stop);
            if let (Some(one), Some(other)) = (&one.inference, &other.inference) {
                same(one, other, 1e-8);
            }
        }
    }

    #[test]
    fn scaling_a_column_scales_only_its_coefficient(
        seed in 0_u64..1000, power in -8_i32..9, penalized: bool,
    ) {
        let data = Data::noisy(seed, 60, 3);
        let c = 10.0_f64.powi(power);
        let mut scaled = data.clone();
        scaled.rows.iter_mut().for_each(|row| row[1] *= c);
        let settings = Settings { firth: penalized, ..Settings::default() };
        let (one, other) = (data.ask(&settings), scaled.ask(&settings));
        prop_assert_eq!(one.stop, other.stop);
        if let (Some(one), Some(mut other)) = (one.inference, other.inference) {
            let own = &mut other.coefficients[1];
            (own.estimate, own.error) = (own.estimate * c, own.error * c);
            own.interval = own.interval.map(|end| end * c);
            same(&one, &other, 1e-8);
        }
    }

    #[test]
    fn swapping_the_classes_flips_signs(seed in 0_u64..1000, penalized: bool) {
        let data = Data::noisy(seed, 60, 3);
        let mut swapped = data.clone();
        swapped.positive.iter_mut().for_each(|p| *p = !*p);
        let settings = Settings { firth: penalized, ..Settings::default() };
        let (one, other) = (data.ask(&settings), swapped.ask(&settings));
        prop_assert_eq!(one.stop, other.stop);
        if let (Some(one), Some(mut other)) = (one.inference, other.inference) {
            for c in &mut other.coefficients {
                (c.estimate, c.z) = (-c.estimate, -c.z);
                c.interval = [-c.interval[1], -c.interval[0]];
            }
            same(&one, &other, 1e-8);
        }
    }
}
