import type { Config } from "@shared/configs.ts";
import { useController, useFormContext, useFormState } from "react-hook-form";
import { trpc } from "@/api/trpc";
import { Alert } from "@/components/ui/alert";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { formatNumber } from "@/lib/format-number";
import { halfWidthCode } from "@/lib/half-width";
import { useDebounced } from "@/lib/use-debounced";
import { type ConfigValues, splitIds } from "./config-form";

/**
 * The projects that the key reads. Hosts of a project that is taken off the list are marked gone
 * when this is saved, so the field says how many those are.
 */
export function ProjectIdsField({ config }: { config: Config | undefined }) {
  const { control } = useFormContext<ConfigValues>();
  const { field } = useController({ control, name: "projectIds" });
  const { errors } = useFormState({ control, name: "projectIds" });
  // Of the whole list, or of the first of its ids that has one.
  const error = [errors.projectIds].flat().find((one) => one !== undefined);
  const leaving = useLeavingHosts(config, splitIds(field.value));

  return (
    <div className="grid gap-2">
      <Field
        label="项目 ID"
        help="用逗号或空格分隔。主账号留空即可读取全部项目；子账号必须填写有权限的项目"
        error={error?.message}
      >
        <Input
          className="font-mono"
          placeholder="org-xxxxxx"
          autoComplete="off"
          spellCheck={false}
          rewrite={halfWidthCode}
          // It ends an id here; saving must wait until the warning was read.
          onKeyDown={(event) => {
            if (event.key === "Enter") event.preventDefault();
          }}
          {...field}
        />
      </Field>
      {leaving.areThere ? (
        <Alert tone="warning" live>
          {`保存后，未列出的项目中的${countText(leaving.count)}主机`}
          将标记为“已消失”，分配和历史记录保留；重新加入项目并同步后会自动恢复。
        </Alert>
      ) : null}
    </div>
  );
}

/**
 * Whether hosts would be released, and how many; the number is unknown while somebody types and
 * until the server has counted.
 */
function useLeavingHosts(config: Config | undefined, projectIds: readonly string[]) {
  const areThere = config !== undefined && isNarrowed(config.projectIds, projectIds);
  const outsideProjects = projectIds.join();
  const isTyping = useDebounced(outsideProjects) !== outsideProjects;
  const hosts = trpc.hosts.list.useQuery(
    { configId: config?.id, outsideProjects, limit: 1 },
    { enabled: areThere && !isTyping },
  );

  return { areThere, count: hosts.data?.pagination.total };
}

/** Whether hosts of projects that were read until now would be released. */
function isNarrowed(before: readonly string[], after: readonly string[]): boolean {
  if (after.length === 0) return false;
  return before.length === 0 || before.some((id) => !after.includes(id));
}

function countText(count: number | undefined): string {
  return count === undefined ? "" : ` ${formatNumber(count)} 台`;
}
