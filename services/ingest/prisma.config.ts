import { PrismaPg } from '@prisma/adapter-pg';
import { defineConfig } from 'prisma/config';

const url = new URL(process.env['DATABASE_URL'] ?? 'postgresql://localhost/none');

export default defineConfig({
  experimental: { adapter: true },
  engine: 'js',
  // Separate fields, not connectionString: the shadow database of `migrate dev` replaces `database` only.
  adapter: async () =>
    new PrismaPg({
      host: url.hostname,
      port: Number(url.port || 5432),
      user: decodeURIComponent(url.username),
      password: process.env['DATABASE_PASSWORD'] ?? decodeURIComponent(url.password),
      database: url.pathname.slice(1),
    }),
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
});
