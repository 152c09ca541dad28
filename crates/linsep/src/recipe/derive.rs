//! Products of columns, fitted after the steps of the columns.

use super::features::FeatureMap;
use super::step::{Sample, Step};
use super::steps::derived::{Input, Levels, Number};
use super::steps::{level_pair, level_slope, logarithm, product};
use super::{Recipe, RecipeSettings};
use crate::error::Error;
use linsep_core::control::{Note, literal};
use linsep_core::features::{column_statistics, count_monomials, monomials};
use linsep_io::memory::Memory;
use linsep_io::table::{Table, Values};
use std::collections::HashSet;

/// Memory of a fitted step besides its values.
const STEP: u128 = 512;

impl Recipe {
    /// Adds the products of columns to a fitted recipe; returns notes for the user.
    pub(crate) fn derive(
        &mut self,
        table: &Table,
        weights: &[f64],
        settings: &RecipeSettings,
        memory: Memory,
    ) -> Result<Vec<Note>, Error> {
        let adds = |map: &&FeatureMap| {
            matches!(map, FeatureMap::Polynomial { .. } | FeatureMap::Interactions { .. })
        };
        if !settings.features.iter().any(|map| adds(&map)) {
            return Ok(Vec::new());
        }
        let statistics = column_statistics(&table.numbers, table.width, weights);
        let sample = Sample { table, weights, statistics: &statistics, settings };
        let inputs = self.inputs(&sample);

        // 1. The number of products, before any is listed.
        let chosen = |map: &FeatureMap| -> Vec<usize> {
            let wanted = |i: &usize| {
                let only_numbers = matches!(map, FeatureMap::Polynomial { .. });
                let (input, columns) = (&inputs[*i], map.columns());
                (columns.is_empty() || columns.iter().any(|own| own == input.column()))
                    && (input.number().is_some() || !only_numbers)
            };
            (0..inputs.len()).filter(wanted).collect()
        };
        let width = |map: &FeatureMap| match map {
            FeatureMap::Polynomial { degree, .. } => count_monomials(chosen(map).len(), *degree),
            _ => pair_width(chosen(map).into_iter().map(|i| inputs[i].width() as u128)),
        };
        let count: u128 = settings.features.iter().filter(adds).map(width).sum();
        let what = format!("encoding {} rows as {count} products of columns", table.rows);
        memory.check(&table.name, &what, count * (table.rows as u128 * 8 + STEP))?;

        // 2. Each product once.
        let mut products: Vec<Vec<usize>> = Vec::new();
        for map in settings.features.iter().filter(adds) {
            let own = chosen(map);
            let factors = match map {
                FeatureMap::Polynomial { degree, .. } => monomials(own.len(), *degree),
                _ => monomials(own.len(), 2).into_iter().filter(|ij| ij[0] < ij[1]).collect(),
            };
            products.extend(factors.into_iter().map(|f| f.into_iter().map(|i| own[i]).collect()));
        }
        let mut seen = HashSet::new();
        products.retain(|factors| seen.insert(factors.clone()));

        // 3. A step for each product.
        let mut dropped = Vec::new();
        for factors in products {
            let factors: Vec<&Input<'_>> = factors.into_iter().map(|i| &inputs[i]).collect();
            match learn(&sample, &factors) {
                Ok(step) => self.steps.push(step),
                Err(why) => dropped.push((factors, why)),
            }
        }
        Ok(dropped_note(&dropped).into_iter().collect())
    }

    /// Returns the columns that products can have as factors: numbers, and one-hot encoded
    /// categories.
    fn inputs<'a>(&self, sample: &Sample<'a>) -> Vec<Input<'a>> {
        let input = |step: &dyn Step| {
            let [name] = step.columns() else { return None };
            let column = sample.table.column(name)?;
            match &column.values {
                Values::Numeric { slot } => {
                    let log = step.kind().name == logarithm::KIND.name;
                    Some(Input::Number(column, Number::new(sample, *slot, log)))
                }
                Values::Categorical { codes, levels } => {
                    let own = Levels::of(step)?;
                    Some(Input::Levels(column, own.places(codes, levels), own))
                }
            }
        };
        self.steps.iter().filter_map(|step| input(&**step)).collect()
    }
}

/// Returns Σ wᵢwⱼ over pairs i < j.
fn pair_width(widths: impl Iterator<Item = u128>) -> u128 {
    let (mut sum, mut pairs) = (0, 0);
    for width in widths {
        pairs += sum * width;
        sum += width;
    }
    pairs
}

fn learn(sample: &Sample<'_>, factors: &[&Input<'_>]) -> Result<Box<dyn Step>, String> {
    match factors {
        [Input::Levels(a, first, levels), Input::Levels(b, second, others)] => {
            level_pair::learn(sample, [(a, first, levels), (b, second, others)])
        }
        [Input::Levels(a, places, levels), Input::Number(b, number)]
        | [Input::Number(b, number), Input::Levels(a, places, levels)] => {
            level_slope::learn(sample, (a, places, levels), (b, number))
        }
        numbers => {
            let numbers: Vec<_> = numbers.iter().filter_map(|input| input.number()).collect();
            product::learn(sample, &numbers)
        }
    }
}

/// Returns the note on dropped products, if any.
fn dropped_note(dropped: &[(Vec<&Input<'_>>, String)]) -> Option<Note> {
    const SHOWN: usize = 3;
    if dropped.is_empty() {
        return None;
    }
    let name = |(factors, why): &(Vec<&Input<'_>>, String)| {
        let names: Vec<&str> = factors.iter().map(|input| input.column()).collect();
        format!("{} ({why})", literal(&names.join(":")))
    };
    let mut names: Vec<String> = dropped.iter().take(SHOWN).map(name).collect();
    if dropped.len() > SHOWN {
        names.push("…".to_owned());
    }
    let text = format!("products of columns dropped: {}: {}", dropped.len(), names.join(", "));
    Some(Note::new("dropped-products", text))
}
