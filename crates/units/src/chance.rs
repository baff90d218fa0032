//! Random draws that are the same on every machine: a named 64-bit generator and `libm`.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A source of chance. Xoshiro256++ works on 64-bit words, which WebAssembly has, and is specified bit by bit.
#[derive(Debug, Clone)]
pub struct Chance(Xoshiro256PlusPlus);

impl Chance {
    /// The stream of `seed`; `stream` keeps uses apart that share one scenario seed.
    pub fn new(seed: u64, stream: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed ^ stream.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        unit(self.bits())
    }

    /// Uniform in [0, n); 0 for n = 0. (Lemire, "Fast random integer generation in an interval", 2019; the bias
    /// of leaving out the rejection step is below n / 2^64.)
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u64
    }

    /// Standard normal (Box and Muller, 1958).
    pub fn normal(&mut self) -> f64 {
        let u = 1.0 - self.unit();
        libm::sqrt(-2.0 * libm::log(u)) * libm::cos(std::f64::consts::TAU * self.unit())
    }

    /// Successes among `n` trials of probability `p`: exact for few trials, normal with continuity otherwise.
    pub fn binomial(&mut self, n: u64, p: f64) -> u64 {
        if n <= 40 {
            return (0..n).filter(|_| self.unit() < p).count() as u64;
        }
        let (mean, variance) = (n as f64 * p, n as f64 * p * (1.0 - p));
        let drawn = libm::floor(mean + libm::sqrt(variance) * self.normal() + 0.5);
        drawn.clamp(0.0, n as f64) as u64
    }
}

/// Random bits as a number uniform in [0, 1).
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// Random bits as a number exponential with mean 1.
pub fn exponential(bits: u64) -> f64 {
    -libm::log(1.0 - unit(bits))
}

/// Spreads a number over all 64 bits, one to one (the finaliser of splitmix64).
pub fn scatter(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
