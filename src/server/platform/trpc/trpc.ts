import { initTRPC } from "@trpc/server";
import { v7 as newId } from "uuid";
import { z } from "zod";
import { ERROR_KINDS, type ErrorCode } from "../../../shared/error-kinds.ts";
import { type ImportColumns, ImportInput, ImportResult } from "../../../shared/imports.ts";
import {
  hasAllPermissions,
  isSuperAdmin,
  type Permission,
  type Role,
} from "../../../shared/roles.ts";
import { anonymousActor, type CallingActor, userActor } from "../actor.ts";
import { newAuditTrail } from "../audit-trail.ts";
import { CsvFile } from "../csv/csv-file.ts";
import { AppError } from "../errors.ts";
import { toAppError, toTrpcError } from "../failures.ts";
import { readImport } from "../imports/read-import.ts";
import type { Upload } from "../imports/upload.ts";
import type { CallDeps, RequestContext } from "./context.ts";
import { assertFewKeys } from "./limit-keys.ts";
import { assertStillPermitted } from "./live-caller.ts";
import { logFailedCall } from "./log-call.ts";
import { recordOutcome } from "./record-outcome.ts";
import { assertTokenScope } from "./token-scope.ts";

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
  /** Who may call; set by the base procedures only, as the three that follow. */
  readonly policy?: Policy;
  /** Refused with FORBIDDEN until the initial password has been changed. */
  readonly needsOwnPassword?: boolean;
  /** Refused with SECOND_FACTOR_REQUIRED until a second factor that the role needs is on. */
  readonly needsSecondFactor?: boolean;
  /** Refused with TOKEN_SCOPE to every API token. */
  readonly isSessionOnly?: boolean;
  /** What the answer is instead of JSON: a file, which REST alone can send. Set by its base. */
  readonly answer?: "csv";
  /** What the body is instead of JSON: a file, which REST alone can take. Set by its base. */
  readonly body?: "csv";
  readonly rest?: RestRoute;
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

/**
 * Gives every call its own EntityManager and the contract's failures; measures and logs it, and
 * records its outcome where no act has done so.
 */
const base = t.procedure.use(async ({ ctx, next, path, type, getRawInput }) => {
  const { app, requestId, ip } = ctx;
  const deps: CallDeps = {
    ...app,
    em: app.orm.em.fork(),
    actor: anonymousActor(ctx),
    auditTrail: newAuditTrail(),
  };
  /** Noted here by the middlewares that follow: a call that fails returns no context. */
  const seen: { actor: CallingActor } = { actor: deps.actor };

  const started = performance.now();
  const result = await next({ ctx: { deps, seen } });
  const ms = Math.round(performance.now() - started);

  const outcome = result.ok ? "ok" : toAppError(result.error).code;
  app.metrics.calls.observe({ procedure: path, outcome }, ms / 1000);
  if (outcome === "TOO_MANY_REQUESTS") app.metrics.limited.inc({ surface: "call" });

  const error = result.ok ? null : result.error;
  const call = { name: path, requestId, ip, caller: seen.actor.id, ms, readInput: getRawInput };
  if (error !== null) await logFailedCall(app.log, call, error);
  await recordOutcome({ ...deps, actor: seen.actor }, app.recordCallOutcome, {
    action: path,
    type,
    error,
    readInput: getRawInput,
  });

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
  const { token, ip } = ctx;
  const caller = token === null ? null : await ctx.app.findCaller(ctx.deps.em, { token, ip });
  if (caller === null) throw new AppError("UNAUTHENTICATED");

  const actor = userActor(ctx, caller, caller.token);
  ctx.seen.actor = actor;
  const deps: CallDeps = { ...ctx.deps, actor };
  return next({ ctx: { caller, deps } });
});

/**
 * Any live session, even of a user who must change the password or set up a second factor first, and
 * any API token. The set-up is for sessions, so a token has nothing to do here without it.
 */
export const anyCallerProcedure = authenticated
  .meta({ policy: "signed-in" })
  .use(({ ctx, type, meta, next }) => {
    const { token, lacksSecondFactor } = ctx.caller;
    if (token !== null && lacksSecondFactor) throw new AppError("SECOND_FACTOR_REQUIRED");

    assertTokenScope(ctx.caller, { type, meta });
    return next();
  })
  .use(limitKeys);

const withOwnPassword = authenticated.meta({ needsOwnPassword: true }).use(({ ctx, next }) => {
  if (ctx.caller.mustChangePassword) throw new AppError("FORBIDDEN", "请先修改初始密码");
  return next();
});

const withSecondFactor = withOwnPassword.meta({ needsSecondFactor: true }).use(({ ctx, next }) => {
  if (ctx.caller.lacksSecondFactor) throw new AppError("SECOND_FACTOR_REQUIRED");
  return next();
});

/** What a role may not do at all is FORBIDDEN, so the scope of a token is checked after it. */
function restrictedProcedure(policy: Policy, mayCall: (role: Role) => boolean) {
  return withSecondFactor
    .meta({ policy })
    .use(({ ctx, type, meta, next }) => {
      if (!mayCall(ctx.caller.role)) throw new AppError("FORBIDDEN");
      assertTokenScope(ctx.caller, { type, meta });
      return next();
    })
    .use(limitKeys);
}

export const signedInProcedure = restrictedProcedure("signed-in", () => true);

export const superAdminProcedure = restrictedProcedure("super_admin", isSuperAdmin);

export function permittedProcedure(...permissions: [Permission, ...Permission[]]) {
  return restrictedProcedure(permissions, (role) => hasAllPermissions(role, permissions));
}

/**
 * A call that answers the whole of a list as a file: whoever may read the list may call it, and its
 * service returns a `CsvFile`. That only REST can send, so over tRPC it is refused, once session,
 * role and scope of the token were checked. With the first portion the export has begun; see
 * `download.ts`.
 */
export function exportProcedure(...permissions: [Permission, ...Permission[]]) {
  return permittedProcedure(...permissions)
    .meta({ answer: "csv" })
    .use(async ({ ctx, meta, next }) => {
      const { caller, download } = ctx;
      if (download === null) {
        throw new AppError("INVALID_INPUT", `请通过 GET ${meta?.rest?.path} 下载`);
      }

      const result = await next();
      if (result.ok) await download.open(caller, CsvAnswer.parse(result.data));
      return result;
    })
    .output(CsvAnswer);
}

const CsvAnswer = z.instanceof(CsvFile);

/**
 * A call whose body is a file with these columns. That only REST can take, so over tRPC it is
 * refused, once session, role and scope of the token were checked. Its service is given the rows: a
 * file that cannot be read is bad input, which is told before that another import has the turn.
 */
export function importProcedure<Field extends string>(
  columns: ImportColumns<Field>,
  ...permissions: [Permission, ...Permission[]]
) {
  return permittedProcedure(...permissions)
    .meta({ body: "csv" })
    .use(({ ctx, meta, next }) => {
      if (ctx.canUpload) return next();
      throw new AppError("INVALID_INPUT", `请通过 POST ${meta?.rest?.path} 上传`);
    })
    .input(ImportInput)
    .use(async ({ ctx, input, path, signal: hungUp, next }) => {
      const { file, dryRun } = input;
      const rows = await readImport(file, columns);
      const { stopping } = ctx.app;
      const signal = hungUp === undefined ? stopping : AbortSignal.any([stopping, hungUp]);

      using _turn = dryRun ? null : ctx.app.importTurns.take(path);
      const assertPermitted = () => assertStillPermitted(ctx.app, ctx.caller);
      const upload: Upload<Field> = { rows, dryRun, signal, assertPermitted };
      return await next({ ctx: { upload } });
    })
    .output(ImportResult);
}

/**
 * The same bases for what no API token may do, whatever its scope: signing in and out, passwords,
 * second factors, tokens, and whatever else would let a stolen token make itself more than it is.
 */
const SESSION_ONLY = { isSessionOnly: true } as const;

/** Any live session, even one whose password must be changed first. */
export const anySessionProcedure = anyCallerProcedure.meta(SESSION_ONLY);

/** Any session of a user with an own password, even one that must set up a second factor first. */
export const ownPasswordProcedure = withOwnPassword
  .meta({ policy: "signed-in", ...SESSION_ONLY })
  .use(({ ctx, type, meta, next }) => {
    assertTokenScope(ctx.caller, { type, meta });
    return next();
  })
  .use(limitKeys);

export const signedInSessionProcedure = signedInProcedure.meta(SESSION_ONLY);

export const superAdminSessionProcedure = superAdminProcedure.meta(SESSION_ONLY);

export function permittedSessionProcedure(...permissions: [Permission, ...Permission[]]) {
  return permittedProcedure(...permissions).meta(SESSION_ONLY);
}
