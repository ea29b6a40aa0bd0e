/** Prisma's command line for this database. */
import { prismaSettings } from '@vds/chassis/database/prisma-settings';
import { defineConfig } from 'prisma/config';

export default defineConfig(prismaSettings(process.env));
