import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endpointUrlError, forbiddenAddress, networksOf } from '../../../lib/runtime/public-address.ts';
import { runs } from '../../support/samples.ts';

const none = networksOf('');
const own = networksOf('10.1.0.0/16, fd12:3456::/32');

describe('non-public address', () => {
  it.each([
    ['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.0.1'],
    ['169.254.169.254', '169.254.170.2', '172.16.0.1', '172.31.255.255', '192.0.0.8', '192.0.2.1', '192.31.196.1'],
    ['192.52.193.1', '192.88.99.1', '192.168.1.1', '192.175.48.1', '198.18.0.1', '198.19.255.255', '198.51.100.1'],
    ['203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
    ['::', '::1', '::7f00:1', '::10.0.0.1', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::ffff:0:127.0.0.1'],
    ['64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::8.8.8.8', '100::1', '100:0:0:1::1'],
    ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:2::1', '2001:20::1', '2001:db8::1', '2002:a00:1::1'],
    ['2002:808:808::1', '2620:4f:8000::1', '3fff::1', '5f00::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fec0::1'],
    ['fe80::1%eth0', 'ff02::1', '4000::1', 'no address', '', '1.2.3', '1.2.3.4.5', '2606:4700::1%1'],
  ])('is refused: %s, …', (...addresses) => {
    expect(addresses.filter((address) => !forbiddenAddress(address, none))).toEqual([]);
  });

  it.each([
    ['8.8.8.8', '1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '172.15.0.1', '172.32.0.1'],
    [
      '126.0.0.1',
      '128.0.0.1',
      '169.253.1.1',
      '192.0.1.1',
      '192.167.0.1',
      '198.17.0.1',
      '198.20.0.1',
      '223.255.255.255',
    ],
    ['2606:4700:4700::1111', '2a00:1450::1', '2001:4860:4860::8888', '2003::1', '2620:4f:7fff::1'],
    ['::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '::ffff:808:808'],
  ])('does not include %s, …', (...addresses) => {
    expect(addresses.filter((address) => forbiddenAddress(address, none))).toEqual([]);
  });

  it('may be allowed by a network of the deployment', () => {
    const reached = ['10.1.2.3', '::ffff:10.1.2.3', 'fd12:3456::1'];
    expect(reached.filter((address) => forbiddenAddress(address, own))).toEqual([]);
    const rejected = ['10.2.0.1', '::ffff:10.2.0.1', '64:ff9b::10.1.2.3', 'fd12:3457::1', '::1'];
    expect(rejected.filter((address) => !forbiddenAddress(address, own))).toEqual([]);
  });

  it('is never allowed where a machine reads its credentials', () => {
    const all = networksOf('0.0.0.0/0,::/0');
    const metadata = ['169.254.169.254', '169.254.170.2', '::ffff:169.254.169.254', 'fd00:ec2::254', 'fe80::1'];
    expect(metadata.filter((address) => !forbiddenAddress(address, all))).toEqual([]);
    expect(forbiddenAddress('10.0.0.1', all)).toBe(false);
  });

  it('is classified alike in every spelling', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number);
        const last = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        const expected = forbiddenAddress(ip, none);
        const spellings = [`::ffff:${ip}`, `::ffff:${last}`, `0:0:0:0:0:FFFF:${last}`, `64:ff9b::${ip}`];
        expect(spellings.map((spelling) => forbiddenAddress(spelling, none))).toEqual(spellings.map(() => expected));
        const written = [String(a * 2 ** 24 + b * 2 ** 16 + c * 256 + d), `0x${a.toString(16)}.${b}.${c * 256 + d}`];
        const fault = (host: string) => endpointUrlError(`https://${host}/`, { allowed: none }) !== undefined;
        expect(written.map(fault)).toEqual([expected, expected]);
      }),
      { numRuns: runs(300) },
    );
  });
});

it.each([
  '2002:a9fe:a9fe::1',
  '2001:0:a9fe:a9fe::1',
  '64:ff9b:1::a9fe:a9fe',
  '::a9fe:a9fe',
  '::ffff:a9fe:a9fe',
  'fe80::1',
])('a wrapped metadata address stays rejected where all of IPv6 is allowed: %s', (address) => {
  expect(forbiddenAddress(address, networksOf('::/0, 0.0.0.0/0'))).toBe(true);
});

describe('networksOf', () => {
  it.each([
    '10.0.0.0',
    '10.0.0.0/33',
    '::/129',
    '10.0.0/8',
    'a/8',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '10.0.0.0/-1',
    'fe80::%1/10',
  ])('rejects %s by its name', (cidr) => {
    expect(() => networksOf(`127.0.0.0/8,${cidr}`)).toThrow(`"${cidr}" is not a CIDR`);
  });
});

describe('URL of an endpoint', () => {
  const fault = (url: string) => endpointUrlError(url, { allowed: own });

  it.each([
    'https://hooks.example.com/in?shop=1',
    'https://hooks.example.com:8443/',
    'https://bücher.example.com/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://10.1.2.3/',
    'http://10.1.2.3:8080/in',
    'http://[fd12:3456::1]/in',
    'https://hooks.example.com./',
  ])('may be %s', (url) => {
    expect(fault(url)).toBeUndefined();
  });

  it.each([
    ['hooks.example.com', 'must be a URL'],
    ['ftp://hooks.example.com/', 'must begin with https://'],
    ['http://hooks.example.com/', 'must begin with https://'],
    ['http://8.8.8.8/', 'must begin with https://'],
    ['http://10.2.0.1/', 'must have a public host, and this address is not public'],
    ['https://user@hooks.example.com/', 'must hold no credentials'],
    ['https://:word@hooks.example.com/', 'must hold no credentials'],
    ['https://hooks.example.com/#', 'must have no fragment'],
    [`https://hooks.example.com/${'x'.repeat(2000)}`, 'must have at most 2000 characters'],
    ['https://127.1/', 'must have a public host, and this address is not public'],
    ['https://0x7f000001/', 'must have a public host, and this address is not public'],
    ['https://2852039166/', 'must have a public host, and this address is not public'],
    ['https://017700000001/', 'must have a public host, and this address is not public'],
    ['https://[::ffff:169.254.169.254]/', 'must have a public host, and this address is not public'],
    ['https://１２７.0.0.1/', 'must have a public host, and this address is not public'],
    ['https://localhost/', 'must have a public host, and this name is not public'],
    ['https://LOCALHOST./', 'must have a public host, and this name is not public'],
    ['https://a.localhost/', 'must have a public host, and this name is not public'],
    ['https://printer.local/', 'must have a public host, and this name is not public'],
    ['https://instance-data.ec2.internal/', 'must have a public host, and this name is not public'],
    ['https://intranet/', 'must have a public host, and this name is not public'],
  ])('may not be %s', (url, expected) => {
    expect(fault(url)).toBe(expected);
  });
});
