import type { TRPCClient } from "@trpc/client";
import type { AppRouter } from "../server/app-router.ts";

/** Every call. In the package this is spelled out, so that it leans on nothing of the server: scripts/sdk-types.ts. */
export type ConsoleApi = TRPCClient<AppRouter>;
