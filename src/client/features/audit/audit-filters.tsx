import {
  AUDIT_OUTCOME_LABELS,
  AUDIT_SUBJECT_LABELS,
  AuditOutcome,
  AuditSubjectType,
} from "@shared/audit.ts";
import { trpc } from "@/api/trpc";
import { ClearFilters, FilterChip, FilterSelect, SearchBox } from "@/components/list-filters";
import { PeriodFilter } from "@/components/period/period-filter";
import { UserPicker } from "@/components/user-picker";
import { actionOptions } from "./action-options";
import type { AuditSearch } from "./audit-search";

type FiltersProps = { search: AuditSearch };

type AuditFiltersProps = FiltersProps & {
  /** The name of the one subject whose entries are listed, if one of them bears it. */
  subjectName: string | undefined;
};

export function AuditFilters({ search, subjectName }: AuditFiltersProps) {
  const { params, setFilters } = search;
  const { subjectType, subjectId } = params;

  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchBox
        label="搜索操作记录"
        placeholder="搜索操作者、对象或地址"
        value={params.search}
        onSearch={(text) => setFilters({ search: text }, { replace: params.search !== "" })}
        className="min-w-0 basis-full md:max-w-72 md:flex-1 md:basis-48"
      />
      <ActorFilter search={search} />
      <FilterSelect
        label="操作"
        all="全部操作"
        className="min-w-0 flex-1 basis-2/5 md:w-44 md:flex-none"
        value={params.action}
        onValueChange={(action) => setFilters({ action })}
        options={actionOptions(params.action)}
      />
      {subjectId === undefined ? (
        <FilterSelect
          label="对象的种类"
          all="全部对象"
          className="min-w-0 flex-1 basis-2/5 md:w-36 md:flex-none"
          value={subjectType}
          onValueChange={(type) => setFilters({ subjectType: type })}
          options={AuditSubjectType.options.map((value) => ({
            value,
            label: AUDIT_SUBJECT_LABELS[value],
          }))}
        />
      ) : (
        <FilterChip
          text={subjectText(subjectType, subjectName)}
          onRemove={() => setFilters({ subjectType: undefined, subjectId: undefined })}
        />
      )}
      <FilterSelect
        label="结果"
        all="全部结果"
        className="min-w-0 flex-1 basis-2/5 md:w-32 md:flex-none"
        value={params.outcome}
        onValueChange={(outcome) => setFilters({ outcome })}
        options={AuditOutcome.options.map((value) => ({
          value,
          label: AUDIT_OUTCOME_LABELS[value],
        }))}
      />
      <PeriodFilter params={params} setFilters={setFilters} />
      <ClearFilters search={search} />
    </div>
  );
}

/** `主机：web-01` */
function subjectText(type: AuditSubjectType | undefined, name: string | undefined): string {
  const kind = type === undefined ? "对象" : AUDIT_SUBJECT_LABELS[type];
  return name === undefined ? `一个${kind}` : `${kind}：${name}`;
}

function ActorFilter({ search: { params, setFilters } }: FiltersProps) {
  const { actorId } = params;
  const actor = trpc.users.get.useQuery({ id: actorId ?? "" }, { enabled: actorId !== undefined });

  return (
    <div className="min-w-0 flex-1 basis-2/5 md:w-44 md:flex-none">
      <UserPicker
        aria-label="操作者"
        placeholder="全部操作者"
        clearable
        allowsDisabled
        value={actorId ?? null}
        selectedName={actor.data?.name ?? (actor.isError ? "已删除的用户" : "…")}
        onValueChange={(id) => setFilters({ actorId: id ?? undefined })}
      />
    </div>
  );
}
