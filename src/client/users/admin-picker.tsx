import type { User } from "@shared/users.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { type Ref, useState } from "react";
import { Combobox } from "@/components/ui/combobox";
import { failureText } from "@/failure";
import { useDebounced } from "@/lib/use-debounced";
import { trpc } from "@/trpc";

const SELECTOR_LENGTH = 100;

type AdminPickerProps = {
  value: string | null;
  onValueChange: (adminId: string | null) => void;
  /** The name of a value that was not chosen here. */
  selectedName?: string | undefined;
  ref: Ref<HTMLButtonElement>;
};

/** The admins, searched by the server. Disabled accounts are shown but cannot be chosen. */
export function AdminPicker({ value, onValueChange, selectedName, ref }: AdminPickerProps) {
  const [search, setSearch] = useState("");
  const [chosenName, setChosenName] = useState<string>();
  const wanted = useDebounced(search.trim());
  const admins = trpc.users.list.useQuery(
    { role: "admin", limit: SELECTOR_LENGTH, ...(wanted === "" ? {} : { search: wanted }) },
    { placeholderData: keepPreviousData },
  );
  return (
    <Combobox
      ref={ref}
      clearable
      value={value}
      onValueChange={(adminId, option) => {
        setChosenName(option?.label);
        onValueChange(adminId);
      }}
      options={(admins.data?.users ?? []).map(optionOf)}
      selectedLabel={chosenName ?? selectedName}
      onSearchChange={setSearch}
      isLoading={admins.isFetching}
      errorText={admins.isError ? `加载失败：${failureText(admins.error)}` : undefined}
      emptyText={wanted === "" ? "还没有管理员，请先创建" : "没有匹配的管理员"}
      placeholder="未分配管理员"
      searchPlaceholder="搜索用户名、姓名或邮箱"
    />
  );
}

function optionOf({ id, name, username, email, phone, isActive }: User) {
  return {
    value: id,
    label: `${name}（${username}）`,
    description: [isActive ? null : "已停用", email ?? phone].filter(Boolean).join(" · "),
    disabled: !isActive,
  };
}
