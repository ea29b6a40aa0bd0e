/** Prisma's command line for this database. */
import { prismaSettings } from '@vds/chassis/database/connection';
import { defineConfig } from 'prisma/config';

export default defineConfig(prismaSettings(process.env));
