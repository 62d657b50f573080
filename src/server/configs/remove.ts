import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { IdInput } from "../../shared/ids.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { inTransaction } from "../database/transaction.ts";
import { lockDefault } from "./default-lock.ts";
import { CONFIG_NOT_FOUND } from "./service.ts";

/** Removes a configuration, and what the other domains have of it: its live sync run is cancelled, its hosts stay as gone. */
export async function deleteConfig(
  deps: Pick<Deps, "em" | "bus" | "clock" | "metrics" | "onConfigRemoved">,
  { id }: IdInput,
): Promise<Record<string, never>> {
  const at = deps.clock.now();
  const toTell = await inTransaction(deps, async (em) => {
    await lockDefault(em);
    await assertRemovable(em, id);
    const steps = [];
    for (const step of deps.onConfigRemoved) steps.push(await step(em, { configId: id, at }));
    await em.execute("delete from configs where id = ?", [id]);
    return steps;
  });
  for (const tell of toTell) tell?.(deps);
  return {};
}

/** The weaker lock lets a sync that has its run locked finish its write, for which the next step waits. */
async function assertRemovable(em: SqlEntityManager, id: string): Promise<void> {
  const [config] = await em.execute<{ is_default: boolean }[]>(
    "select is_default from configs where id = ? for no key update",
    [id],
  );
  if (config === undefined) throw new AppError("NOT_FOUND", CONFIG_NOT_FOUND);
  if (config.is_default) throw new AppError("CONFLICT", "不能删除默认配置，请先把另一个配置设为默认");
}
