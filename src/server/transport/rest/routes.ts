import type { callTRPCProcedure, TRPCRouterRecord } from "@trpc/server";
import { z } from "zod";
import type { ProcedureMeta, RestRoute } from "../../core/trpc.ts";

export const VERBS = { GET: "get", POST: "post", PUT: "put", DELETE: "delete" } as const;

export type AnyAppRouter = Parameters<typeof callTRPCProcedure>[0]["router"];

export interface ListedProcedure {
  readonly path: string;
  readonly type: "query" | "mutation" | "subscription";
  readonly meta: ProcedureMeta;
  readonly input: z.ZodType | undefined;
  readonly output: z.ZodType | undefined;
}

export interface RestProcedure extends ListedProcedure {
  readonly type: "query" | "mutation";
  readonly route: RestRoute;
}

const Definition = z.object({
  type: z.enum(["query", "mutation", "subscription"]),
  meta: z.custom<ProcedureMeta>((meta) => typeof meta === "object").optional(),
  inputs: z.array(z.custom<z.ZodType>((input) => input instanceof z.ZodType)),
  output: z.custom<z.ZodType>((output) => output instanceof z.ZodType).optional(),
});

export function listProcedures(appRouter: AnyAppRouter): ListedProcedure[] {
  const record: TRPCRouterRecord = appRouter._def.procedures;
  return Object.entries(record).map(([path, procedure]) => {
    const { type, meta, inputs, output } = Definition.parse(procedure._def);
    return { path, type, meta: meta ?? {}, input: inputs[0], output };
  });
}

export function restProcedures(appRouter: AnyAppRouter): RestProcedure[] {
  return listProcedures(appRouter).flatMap(({ type, ...procedure }) =>
    procedure.meta.rest === undefined || type === "subscription"
      ? []
      : [{ ...procedure, type, route: procedure.meta.rest }],
  );
}
