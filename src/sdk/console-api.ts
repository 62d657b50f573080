import type { TRPCClient } from "@trpc/client";
import type { AppRouter } from "../server/app-router.ts";

/** Every call; printed in full into the package by scripts/sdk-types.ts. */
export type ConsoleApi = TRPCClient<AppRouter>;
