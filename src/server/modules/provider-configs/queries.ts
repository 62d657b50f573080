import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../platform/errors.ts";
import { ConfigEntity, type ConfigRow } from "./entity.ts";

/** With its sealed key, for who calls the provider. Throws NOT_FOUND. */
export async function findConfig(em: SqlEntityManager, id: string): Promise<ConfigRow> {
  return await em.findOneOrFail(ConfigEntity, { id }, { failHandler: configNotFound });
}

export function configNotFound(): AppError {
  return new AppError("NOT_FOUND", "配置不存在或已被删除");
}
