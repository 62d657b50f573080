import { initTRPC } from "@trpc/server";
import { v7 as newId } from "uuid";
import { ERROR_KINDS, type ErrorCode } from "../../../shared/error-kinds.ts";
import {
  hasAllPermissions,
  isSuperAdmin,
  type Permission,
  type Role,
} from "../../../shared/roles.ts";
import { anonymousActor, userActor } from "../actor.ts";
import { AppError } from "../errors.ts";
import { toAppError, toTrpcError } from "../failures.ts";
import type { CallDeps, RequestContext } from "./context.ts";
import { assertFewKeys } from "./limit-keys.ts";
import { logCall } from "./log-call.ts";

export interface RestRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: `/api/${string}`;
  /** Input fields taken from the query string although the method has a body. */
  readonly query?: readonly string[];
  readonly status?: 200 | 201;
  readonly raw?: boolean;
}

export type Policy = "public" | "signed-in" | "super_admin" | readonly Permission[];

export interface ProcedureMeta {
  /** Who may call; set by the base procedures only, as `needsOwnPassword`. */
  readonly policy?: Policy;
  readonly rest?: RestRoute;
  /** Refused with FORBIDDEN until the initial password has been changed. */
  readonly needsOwnPassword?: boolean;
  readonly summary?: string;
  /** Markdown, in Chinese, for the API document. */
  readonly description?: string;
  /** Section of the API document; by default the first word of the procedure's name. */
  readonly tag?: string;
  /** Failures beside those of every call of its kind. */
  readonly errors?: readonly ErrorCode[];
}

const t = initTRPC
  .context<RequestContext>()
  .meta<ProcedureMeta>()
  .create({
    isServer: true,
    allowOutsideOfServer: true,
    errorFormatter({ error, shape, ctx }) {
      const { code, message, fields } = toAppError(error);
      const errors = fields === undefined ? {} : { errors: fields };
      const data = {
        code,
        httpStatus: ERROR_KINDS[code].status,
        requestId: ctx?.requestId ?? newId(),
        ...errors,
      };
      return { code: shape.code, message, data };
    },
  });

export const { router, mergeRouters } = t;

/** Gives every call its own EntityManager and the contract's failures; measures and logs it. */
const base = t.procedure.use(async ({ ctx, next, path, type, getRawInput }) => {
  const { app, requestId, ip } = ctx;
  const deps: CallDeps = { ...app, em: app.orm.em.fork(), actor: anonymousActor(ctx) };
  /** Noted here by the middlewares that follow: a call that fails returns no context. */
  const seen: { callerId?: string } = {};

  const started = performance.now();
  const result = await next({ ctx: { deps, seen } });
  const ms = Math.round(performance.now() - started);

  const outcome = result.ok ? "ok" : toAppError(result.error).code;
  app.metrics.calls.observe({ procedure: path, outcome }, ms / 1000);
  if (outcome === "TOO_MANY_REQUESTS") app.metrics.limited.inc({ surface: "call" });

  const call = {
    name: path,
    isMutation: type === "mutation",
    requestId,
    ip,
    callerId: seen.callerId,
    ms,
    readInput: getRawInput,
  };
  await logCall(app.log, call, result);

  if (!result.ok) throw toTrpcError(result.error);
  return result;
});

/**
 * Before validation, which takes long for an object of thousands of unknown keys; after session and
 * role.
 */
const limitKeys = t.middleware(async ({ getRawInput, next }) => {
  assertFewKeys(await getRawInput());
  return next();
});

export const publicProcedure = base.meta({ policy: "public" }).use(limitKeys);

const authenticated = base.use(async ({ ctx, next }) => {
  const caller = ctx.token === null ? null : await ctx.app.findCaller(ctx.deps.em, ctx.token);
  if (caller === null) throw new AppError("UNAUTHENTICATED");

  ctx.seen.callerId = caller.id;
  const deps: CallDeps = { ...ctx.deps, actor: userActor(ctx, caller) };
  return next({ ctx: { caller, deps } });
});

/** Any live session, even one whose password must be changed first. */
export const anySessionProcedure = authenticated.meta({ policy: "signed-in" }).use(limitKeys);

const ownPasswordProcedure = authenticated.meta({ needsOwnPassword: true }).use(({ ctx, next }) => {
  if (ctx.caller.mustChangePassword) throw new AppError("FORBIDDEN", "请先修改初始密码");
  return next();
});

export const signedInProcedure = ownPasswordProcedure.meta({ policy: "signed-in" }).use(limitKeys);

function restrictedProcedure(policy: Policy, mayCall: (role: Role) => boolean) {
  return ownPasswordProcedure
    .meta({ policy })
    .use(({ ctx, next }) => {
      if (!mayCall(ctx.caller.role)) throw new AppError("FORBIDDEN");
      return next();
    })
    .use(limitKeys);
}

export const superAdminProcedure = restrictedProcedure("super_admin", isSuperAdmin);

export function permittedProcedure(...permissions: [Permission, ...Permission[]]) {
  return restrictedProcedure(permissions, (role) => hasAllPermissions(role, permissions));
}
