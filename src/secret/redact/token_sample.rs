//! A token of every issuer, and of every pattern.
//!
//! Each is made when the test runs, from what its issuer's begin with and from random characters.

use fastrand::Rng;

use super::super::issuer::{Alphabet, TokenShape, starts_of_issuers};
use super::tests::{BASE62, random};

pub(super) const HEX: &str = "0123456789abcdef";
const SMALL: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
const CAPITALS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// A secret, what it is called, and whether it stands alone.
pub(super) struct Sample {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) is_alone: bool,
}

fn token(shape: &TokenShape, chance: &mut Rng) -> Sample {
    let length = shape.length;
    let rest = match shape.of {
        _ if shape.is_uuid => uuid(chance),
        Alphabet::Hex => format!("a1{}", random(chance, length - 2, HEX)),
        Alphabet::Lower => format!("a1{}", random(chance, length - 2, SMALL)),
        Alphabet::Upper => format!("A2{}", random(chance, length - 2, CAPITALS)),
        // Four digits, two letters of each case, and no hyphen that another token could end at.
        _ => format!("aB1c2D34{}", random(chance, length.max(24) - 8, BASE62)),
    };
    // Of one length is what has that length.
    let rest = match shape.is_uuid {
        true => rest,
        false => rest[..length.max(rest.len().min(length))].to_owned(),
    };
    Sample {
        name: shape.start.to_owned(),
        text: format!("{}{rest}", shape.start),
        is_alone: shape.is_alone,
    }
}

fn uuid(chance: &mut Rng) -> String {
    let parts = [8, 4, 4, 4, 12].map(|length| random(chance, length, HEX));
    parts.join("-")
}

/// Tokens of every issuer, and those that have a pattern.
pub(super) fn tokens(seed: u64) -> Vec<Sample> {
    let mut chance = Rng::with_seed(seed);
    let mut samples: Vec<Sample> = starts_of_issuers()
        .map(|shape| token(&shape, &mut chance))
        .collect();
    let mut patterned = |name: &str, text: String| {
        samples.push(Sample {
            name: name.to_owned(),
            text,
            is_alone: true,
        });
    };
    let b62 = |chance: &mut Rng, length: usize| random(chance, length, BASE62);
    let telegram = format!("1234567890:AA{}", b62(&mut chance, 33));
    patterned("Telegram", telegram);
    let discord = format!("MTIzNDU2Nzg5MDEyMzQ1Njc4.Ga1b2C.{}", b62(&mut chance, 38));
    patterned("Discord", discord);
    let airtable = format!(
        "pat{}.{}",
        b62(&mut chance, 14),
        random(&mut chance, 64, HEX)
    );
    patterned("Airtable", airtable);
    let azure = format!("aB38Q~{}", b62(&mut chance, 34));
    patterned("Azure", azure);
    let mailchimp = format!("{}-us12", random(&mut chance, 32, HEX));
    patterned("Mailchimp", mailchimp);
    let maxmind = format!("aB1{}_{}_mmk", b62(&mut chance, 3), b62(&mut chance, 29));
    patterned("MaxMind", maxmind);
    let header = ["eyJ", "hbGciOiJIUzI1NiJ9"].concat();
    let web_token = format!("{header}.{}.{}", b62(&mut chance, 40), b62(&mut chance, 43));
    patterned("JSON Web Token", web_token);
    samples
}
