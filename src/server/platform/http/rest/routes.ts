import type { callTRPCProcedure, TRPCRouterRecord } from "@trpc/server";
import { z } from "zod";
import type { ProcedureMeta } from "../../trpc/trpc.ts";

export const VERBS = { GET: "get", POST: "post", PUT: "put", DELETE: "delete" } as const;

export type AnyAppRouter = Parameters<typeof callTRPCProcedure>[0]["router"];

export type ListedProcedure = ReturnType<typeof listProcedures>[number];
export type RestProcedure = ReturnType<typeof restProcedures>[number];

const Definition = z.object({
  type: z.enum(["query", "mutation", "subscription"]),
  meta: z.custom<ProcedureMeta>((meta) => typeof meta === "object").optional(),
  inputs: z.tuple([z.custom<z.ZodType>((input) => input instanceof z.ZodType)]),
  output: z.custom<z.ZodType>((output) => output instanceof z.ZodType).optional(),
});

export function listProcedures(appRouter: AnyAppRouter) {
  const record: TRPCRouterRecord = appRouter._def.procedures;
  return Object.entries(record).map(([path, procedure]) => {
    const { type, meta, inputs, output } = Definition.parse(procedure._def);
    return { path, type, meta: meta ?? {}, input: inputs[0], output };
  });
}

export function restProcedures(appRouter: AnyAppRouter) {
  return listProcedures(appRouter).flatMap(({ type, ...procedure }) =>
    procedure.meta.rest === undefined || type === "subscription"
      ? []
      : [{ ...procedure, type, route: procedure.meta.rest }],
  );
}
