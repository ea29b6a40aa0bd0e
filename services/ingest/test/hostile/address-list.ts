/** Addresses that are not public, and the ways in which they are spelled to look like something else. */

/** As a DNS server may answer them, and a listener is reached at. */
export const internalAddresses: readonly string[] = [
  ...['0.0.0.0', '0.0.0.1', '0.255.255.255', '10.0.0.1', '10.1.2.3', '10.96.0.1', '10.255.255.255'],
  ...['100.64.0.1', '100.100.100.200', '100.127.255.254', '127.0.0.1', '127.0.0.53', '127.1.1.1', '127.255.255.254'],
  ...['169.254.0.1', '169.254.169.254', '169.254.170.2', '169.254.169.123', '172.16.0.1', '172.17.0.1', '172.20.0.1'],
  ...['172.31.255.255', '192.0.0.1', '192.0.0.170', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.0.1'],
  ...['192.168.1.1', '192.168.99.100', '192.168.122.1', '192.168.255.255', '198.18.0.1', '198.19.255.254'],
  ...['198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.254', '255.255.255.255'],
  '168.63.129.16',
  ...['::', '::1', '::2', '::127.0.0.1', '::10.0.0.1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:169.254.169.254'],
  ...['::ffff:8.8.8.8', '::ffff:0:127.0.0.1', '64:ff9b::127.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b::169.254.169.254'],
  ...['64:ff9b:1::1', '100::1', '2001::1', '2001:0:7f00:1::1', '2001:10::1', '2001:20::1', '2001:db8::1'],
  ...['2002:7f00:1::1', '2002:a00:1::1', '2002:a9fe:a9fe::1', '3fff::1', '5f00::1', 'fc00::1', 'fd00::1'],
  ...['fd00:ec2::254', 'fd20:ce::254', 'fe80::1', 'fe80::5efe:7f00:1', 'fec0::1', 'ff02::1', 'ff05::2'],
  ...['2a00::5efe:7f00:1', '2a00::200:5efe:a00:1', '4000::1', '8000::1', '1::1', 'a000::1'],
];

/** As the host of an address that a partner may send, or a Location may name. */
export const spelledHosts: readonly string[] = [
  ...internalAddresses.map((address) => (address.includes(':') ? `[${address}]` : address)),
  // Of 127.0.0.1, 10.0.0.1 and 169.254.169.254: one number, octal, hexadecimal, short, padded.
  ...['2130706433', '017700000001', '0x7f000001', '0x7f.1', '127.1', '127.0.1', '0177.0.0.1', '0x7f.0x0.0x0.0x1'],
  ...[
    '167772161',
    '0xa000001',
    '10.1',
    '012.0.0.1',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.43518',
  ],
  ...['127.000.000.001', '00000177.0.0.1', '0x00000000000000007f.0.0.1', '127.0.0.1.', '169.254.169.254.', '0', '0x0'],
  // Digits of other scripts, dots that are none, and what a decoder makes of them.
  ...[
    '１２７.０.０.１',
    '127。0。0。1',
    '①②⑦.⓪.⓪.①',
    '%31%32%37.0.0.1',
    '127%2e0%2e0%2e1',
    '169.254.169.254%2f',
    '127.0.0.1%00.example',
  ],
  ...[
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::1]',
    '[::1%25lo]',
    '[fe80::1%25eth0]',
    '[::ffff:0x7f.1]',
    '[::127.1]',
  ],
  // Whoever reads only a part of it takes it for another host.
  ...[
    'public.example@127.0.0.1',
    '127.0.0.1#@public.example',
    '127.0.0.1\\@public.example',
    'public.example:443@10.0.0.1',
  ],
  ...['127.0.0.1?.public.example', 'public.example\t@127.0.0.1', '127.0.0.1 .public.example', '127.0.0.1:443:443'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'localhost.localdomain', 'ip6-localhost', 'metadata.google.internal'],
  ...[
    'metadata',
    'instance-data',
    'kubernetes',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
    'router.home.arpa',
  ],
];
