// The addresses that may be reached. A URL comes from the environment, and its name may lead anywhere, to another
// place at each look-up: what counts is the address that is connected to.

import dns from 'node:dns';
import net from 'node:net';

/** Ranges that the registries of IANA for special purposes do not have as globally reachable. */
const PRIVATE = /** @type {const} */ ([
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]);
/** Of IPv6 only 2000::/3 is reachable, but for these. */
const PRIVATE_6 = /** @type {const} */ ([
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

const globalUnicast = new net.BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

const reserved = new net.BlockList();
for (const [address, bits] of PRIVATE) reserved.addSubnet(address, bits, 'ipv4');
for (const [address, bits] of PRIVATE_6) reserved.addSubnet(address, bits, 'ipv6');

/** IPv4 within IPv6: as it is mapped, and as NAT64 translates it. */
const CARRIERS = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/**
 * Returns whether an address is of this machine, of a private network, or of none that the Internet has.
 *
 * @param {string} address of IPv4 or IPv6
 */
export function isPrivate(address) {
  if (net.isIPv4(address)) return reserved.check(address, 'ipv4');
  // A zone names an interface of this machine.
  if (!net.isIPv6(address) || address.includes('%')) return true;
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const carried = CARRIERS.exec(written);
  if (carried !== null) return isPrivate(dotted(carried[1], carried[2]));
  return !globalUnicast.check(written, 'ipv6') || reserved.check(written, 'ipv6');
}

/**
 * @param {string} high 16 bits in hexadecimal digits
 * @param {string} low
 */
function dotted(high, low) {
  const bytes = [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]);
  return bytes.join('.');
}

/** The error in place of a connection. */
export class Refused extends Error {}

/**
 * Checks that an address may be connected to: one of the Internet over HTTPS, and where the settings allow it a
 * private one, over plain HTTP too.
 *
 * @param {string} address
 * @param {{protocol: string, allowsPrivate: boolean}} way
 * @throws {Refused}
 */
export function expectReachable(address, { protocol, allowsPrivate }) {
  if (isPrivate(address)) {
    if (allowsPrivate) return;
    throw new Refused(
      `it leads to the private address ${address}, which is refused; \`allow_private_addresses\` allows it`,
    );
  }
  if (protocol === 'https:') return;
  throw new Refused(`it leads to ${address} over plain HTTP, which is for private addresses alone: expected https://`);
}

/**
 * A look-up of names that answers with addresses that may be connected to alone.
 *
 * @param {{protocol: string, allowsPrivate: boolean}} way
 * @returns {import('node:net').LookupFunction}
 */
export function lookup(way) {
  return (name, options, answer) => {
    dns.lookup(name, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return answer(error, []);
      /** @type {unknown} */
      let refusal;
      const reachable = addresses.filter(({ address }) => {
        try {
          expectReachable(address, way);
          return true;
        } catch (refused) {
          refusal ??= refused;
          return false;
        }
      });
      const [first] = reachable;
      if (first === undefined) {
        return answer(/** @type {Error} */ (refusal ?? new Refused(`${name} has no address`)), []);
      }
      return options.all ? answer(null, reachable) : answer(null, first.address, first.family);
    });
  };
}
