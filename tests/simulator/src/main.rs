//! Runs the simulator.
use milepost_simulator::random;
fn main() {
    let args: Vec<u64> = std::env::args()
        .skip(1)
        .map(|a| a.parse().unwrap())
        .collect();
    if args.len() == 4 {
        use milepost_simulator::exhaustive::*;
        for start in [Start::Document, Start::Nothing] {
            let s = Setting {
                writers: args[0] as usize,
                tries: args[1] as usize,
                start,
                has_links: args[2] == 1,
                joins: args[3] == 1,
            };
            let t = std::time::Instant::now();
            println!("{s:?} {:?} {:?}", explore(s), t.elapsed());
        }
        return;
    }
    if args.len() == 3 {
        for m in milepost::store::Mutation::ALL {
            milepost::store::Mutation::activate(Some(m));
            match (0..args[1]).find_map(|s| random::run(s).err()) {
                Some(v) => println!("{m:?}: {v}"),
                None => println!("{m:?}: SURVIVES"),
            }
        }
        return;
    }
    let mut bad = 0;
    let mut t = (0, 0, 0, 0, 0);
    for seed in args[0]..args[1] {
        match random::run(seed) {
            Ok(x) => {
                t.0 += x.effects;
                t.1 += x.acknowledged;
                t.2 += x.kills;
                t.3 += x.power_losses;
                t.4 += x.faults;
            }
            Err(v) => {
                println!("{v}");
                bad += 1;
                if bad > 20 {
                    break;
                }
            }
        }
    }
    println!("{t:?} bad {bad}");
}
