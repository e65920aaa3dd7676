import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', './test/support/count-reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    env: {
      TABLE_NAME: 'unit',
      SIGNING_SECRET_ID: 'unit',
      SERVICE_URL: 'https://service.invalid',
      AUTH_URL: 'https://identity.invalid',
      CLIENT_SECRET_ID: 'unit',
      SHOPIFY_SECRET_ID: 'unit',
      SHOPIFY_API_URL: 'https://{shop}',
      INBOX_QUEUE_URL: 'https://queue.invalid/inbox',
      INBOX_DLQ_URL: 'https://queue.invalid/dead',
      INBOX_MAX_RECEIVES: '3',
      TOKEN_ISSUER: 'https://identity.invalid',
      LOG_LEVEL: 'error',
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    },
    coverage: {
      provider: 'v8',
      include: ['lib/returns/**', 'lib/money/**', 'lib/oauth/**', 'lib/platforms/**'],
      reporter: ['text-summary'],
      thresholds: { lines: 95, branches: 85 },
    },
  },
});
