import { expect } from 'chai';
import { readConfig } from '@vds/chassis/config/config';
import { analyticsConfig, clickhouseOf } from '../src/config.ts';

/** What has no default. */
const least = {
  ...{ DATABASE_URL: 'postgresql://u@127.0.0.1:1/d', NATS_URL: 'nats://127.0.0.1:1', RPC_TOKEN: 'x' },
  ...{ S3_ENDPOINT: 'http://127.0.0.1:1', S3_ACCESS_KEY: 'x', S3_SECRET_KEY: 'x' },
  ...{ CATALOG_RPC: 'dns:///127.0.0.1:1', AUTH_RPC: 'dns:///127.0.0.1:1', ANALYTICS_STORE: 'clickhouse' },
};
function read(more: Readonly<Record<string, string>>) {
  return clickhouseOf(readConfig(analyticsConfig, { ...least, ...more }));
}

describe('analytics configuration', () => {
  it('the address of ClickHouse names user and database, which are default and vds without it', () => {
    expect(read({ CLICKHOUSE_URL: 'http://ch:8123' })).to.include({
      ...{ url: 'http://ch:8123', user: 'default', database: 'vds', password: '' },
    });
    const all = read({ CLICKHOUSE_URL: 'https://an%40a@ch:8443/views', CLICKHOUSE_PASSWORD: 'p' });
    expect(all).to.include({ url: 'https://ch:8443', user: 'an@a', database: 'views', password: 'p' });
  });

  it('ClickHouse as the store needs its address', () => {
    expect(() => read({})).to.throw('CLICKHOUSE_URL');
  });
});
