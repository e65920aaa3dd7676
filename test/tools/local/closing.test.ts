import { describe, expect, it } from 'vitest';
import { closing } from '../../../lib/tools/local/closing.ts';
import type { Stack } from '../../../lib/tools/local/stack.ts';
import type { StartOptions } from '../../../lib/tools/local/start-command.ts';

const hooks = 'http://127.0.0.1:8091';
const stack = {
  info: {
    connected: { url: 'http://127.0.0.1:8081' },
    standalone: { url: 'http://127.0.0.1:8082' },
    hooks: { url: hooks },
    webhooks: { shopify: { url: `${hooks}/webhooks/shopify` } },
    shops: { shopify: { source: 'x.example' }, saleor: { source: '127.0.0.1:9100' }, woocommerce: { source: 'local' } },
    aws: { eventBridge: 'http://127.0.0.1:8099' },
  },
} as unknown as Stack;

describe('the end of a start', () => {
  it('has the address of webhooks of each platform, with the source of its shop', () => {
    const options = { platforms: 'shopify,saleor,woocommerce,standard', dataDir: '.local' } as unknown as StartOptions;
    const lines = closing(stack, options).filter((line) => line.includes('/webhooks/'));
    expect(lines.map((line) => line.trim().split(/ +/).at(-1))).toEqual([
      `${hooks}/webhooks/shopify`,
      `${hooks}/webhooks/saleor/127.0.0.1:9100`,
      `${hooks}/webhooks/woocommerce/local`,
      `${hooks}/webhooks/standard/{source}`,
    ]);
  });
});
