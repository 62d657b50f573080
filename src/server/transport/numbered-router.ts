import type { AnyTRPCRouter } from "@trpc/server";
import { formatFailure } from "../core/failures.ts";

/**
 * The same router, with a socket's id in every failure: those that tRPC raises before it has made a context, such as for a token
 * that is dead or a frame that is no call, would have none.
 */
export function numbered<Router extends AnyTRPCRouter>(router: Router, requestId: string): Router {
  const { _def } = router;
  const errorFormatter: typeof formatFailure = (options) => formatFailure({ ...options, ctx: { requestId } });
  return { ...router, _def: { ..._def, _config: { ..._def._config, errorFormatter } } };
}
