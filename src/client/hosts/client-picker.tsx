import type { User } from "@shared/users.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { type Ref, useState } from "react";
import { Combobox } from "@/components/ui/combobox";
import { failureText } from "@/failure";
import { useDebounced } from "@/lib/use-debounced";
import { trpc } from "@/trpc";

const SELECTOR_LENGTH = 100;

type ClientPickerProps = {
  /** "" for none. */
  value: string;
  onValueChange: (userId: string, name: string) => void;
  /** The name of a value that was not chosen here. */
  selectedName?: string | undefined;
  clearable?: boolean;
  placeholder?: string;
  disabled?: boolean;
  ref?: Ref<HTMLButtonElement>;
};

/** Clients, searched by the server. Disabled accounts are shown but cannot be chosen. */
export function ClientPicker({
  value,
  onValueChange,
  selectedName,
  placeholder = "选择用户",
  ...rest
}: ClientPickerProps) {
  const [search, setSearch] = useState("");
  const [chosenName, setChosenName] = useState<string>();
  const wanted = useDebounced(search.trim());
  const users = trpc.users.list.useQuery(
    { role: "client", limit: SELECTOR_LENGTH, ...(wanted === "" ? {} : { search: wanted }) },
    { placeholderData: keepPreviousData },
  );
  return (
    <Combobox
      {...rest}
      value={value === "" ? null : value}
      onValueChange={(userId, option) => {
        setChosenName(option?.label);
        onValueChange(userId ?? "", option?.label ?? "");
      }}
      options={(users.data?.users ?? []).map(optionOf)}
      selectedLabel={chosenName ?? selectedName}
      onSearchChange={setSearch}
      isLoading={users.isFetching}
      errorText={users.isError ? `加载失败：${failureText(users.error)}` : undefined}
      emptyText={wanted === "" ? "还没有C端用户，请先在用户管理中创建" : "没有匹配的用户"}
      placeholder={placeholder}
      searchPlaceholder="搜索用户名、姓名或邮箱"
    />
  );
}

function optionOf(user: User) {
  return {
    value: user.id,
    label: `${user.name}（${user.username}）`,
    description: [user.isActive ? null : "已停用", user.email ?? user.phone, user.admin && `负责人 ${user.admin.name}`]
      .filter(Boolean)
      .join(" · "),
    disabled: !user.isActive,
  };
}
