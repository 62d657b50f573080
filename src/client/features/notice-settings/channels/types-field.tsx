import { NOTICE_TYPE_LABELS, NoticeType } from "@shared/notices.ts";
import { type ReactNode, useId } from "react";
import { useController, useFormContext } from "react-hook-form";
import { Checkbox } from "@/components/ui/checkbox";
import { cn } from "@/lib/cn";
import type { ChannelValues } from "./channel-form";
import { NOTICE_GROUPS, type NoticeGroup } from "./notice-groups";

/** Which notices a channel sends: by groups, or each by itself. */
export function TypesField() {
  const { control } = useFormContext<ChannelValues>();
  const { field } = useController({ control, name: "types" });
  const chosen = field.value;

  /** In the order of the list, so that choosing and taking back is no change. */
  function change(types: readonly NoticeType[], isChosen: boolean): void {
    const isKept = (type: NoticeType) => (types.includes(type) ? isChosen : chosen.includes(type));
    field.onChange(NoticeType.options.filter(isKept));
  }

  return (
    <fieldset className="grid gap-2">
      <div className="flex items-center justify-between">
        <legend className="float-left text-sm font-medium">发送哪些通知</legend>
        <TypesCheckbox types={NoticeType.options} chosen={chosen} onChange={change}>
          全选
        </TypesCheckbox>
      </div>
      <div className="divide-y rounded-md border">
        {NOTICE_GROUPS.map((group) => (
          <GroupRow key={group.name} group={group} chosen={chosen} onChange={change} />
        ))}
      </div>
      {chosen.length === 0 ? (
        <p role="status" className="text-xs text-warning-ink">
          没有选择通知，这个渠道不会发送任何消息
        </p>
      ) : null}
    </fieldset>
  );
}

type ChangeTypes = (types: readonly NoticeType[], isChosen: boolean) => void;

type GroupRowProps = {
  group: NoticeGroup;
  chosen: readonly NoticeType[];
  onChange: ChangeTypes;
};

function GroupRow({ group: { name, types }, chosen, onChange }: GroupRowProps) {
  return (
    <div className="grid gap-x-4 gap-y-1 px-3.5 py-2.5 sm:grid-cols-[7rem_minmax(0,1fr)]">
      <TypesCheckbox types={types} chosen={chosen} onChange={onChange} className="font-medium">
        {name}
      </TypesCheckbox>
      <div className="flex flex-wrap gap-x-5 gap-y-1 max-sm:pl-6">
        {types.map((type) => (
          <TypesCheckbox key={type} types={[type]} chosen={chosen} onChange={onChange}>
            {NOTICE_TYPE_LABELS[type]}
          </TypesCheckbox>
        ))}
      </div>
    </div>
  );
}

type TypesCheckboxProps = {
  types: readonly NoticeType[];
  chosen: readonly NoticeType[];
  onChange: ChangeTypes;
  className?: string;
  children: ReactNode;
};

/** Of several types, between on and off while only some of them are chosen. */
function TypesCheckbox({ types, chosen, onChange, className, children }: TypesCheckboxProps) {
  const id = useId();
  const count = types.filter((type) => chosen.includes(type)).length;
  const isPartly = count > 0 && count < types.length;

  return (
    <span className={cn("inline-flex min-h-7 items-center gap-2 text-sm", className)}>
      <Checkbox
        id={id}
        checked={isPartly ? "indeterminate" : count === types.length}
        onCheckedChange={(checked) => onChange(types, checked === true)}
      />
      <label htmlFor={id}>{children}</label>
    </span>
  );
}
