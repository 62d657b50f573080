import { ROLE_LABELS } from "@shared/roles.ts";
import type { User } from "@shared/users.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { type Ref, useState } from "react";
import { trpc } from "@/api/trpc";
import { Combobox } from "@/components/combobox";
import { personSearch } from "@/lib/half-width";
import { useDebounced } from "@/lib/use-debounced";

const SELECTOR_LENGTH = 100;

type UserPickerProps = {
  /** Of one role; absent: of all. */
  only?: "client" | "admin";
  value: string | null;
  onValueChange: (userId: string | null) => void;
  placeholder: string;
  /** The name of a value that was not chosen here. */
  selectedName?: string | undefined;
  /** Somebody who is shown and cannot be chosen. */
  except?: { readonly id: string; readonly why: string } | undefined;
  /** To look for what they have done; for everything else a disabled account is no choice. */
  allowsDisabled?: boolean;
  clearable?: boolean;
  "aria-label"?: string;
  disabled?: boolean;
  ref?: Ref<HTMLButtonElement>;
};

/** Users, searched by the server. */
export function UserPicker(props: UserPickerProps) {
  const { only, onValueChange, selectedName, except, allowsDisabled = false, ...rest } = props;
  const [search, setSearch] = useState("");
  const [chosenName, setChosenName] = useState<string>();
  const debouncedSearch = useDebounced(search.trim());
  const list = trpc.users.list.useQuery(
    {
      limit: SELECTOR_LENGTH,
      ...(only === undefined ? {} : { role: only }),
      ...(debouncedSearch === "" ? {} : { search: personSearch(debouncedSearch) }),
    },
    { placeholderData: keepPreviousData },
  );
  const { users = [], pagination } = list.data ?? {};

  /** Why somebody cannot be chosen; null who can. */
  function whyNot(user: User): string | null {
    if (!user.isActive && !allowsDisabled) return "已停用";
    return user.id === except?.id ? except.why : null;
  }

  return (
    <Combobox
      {...rest}
      onValueChange={(userId, option) => {
        setChosenName(option?.label);
        onValueChange(userId);
      }}
      options={users.map((user) => optionOf(user, whyNot(user)))}
      selectedLabel={chosenName ?? selectedName}
      onSearchChange={setSearch}
      query={list}
      isOutdated={search.trim() !== debouncedSearch || list.isPlaceholderData}
      note={
        pagination !== undefined && pagination.total > users.length
          ? `仅显示前 ${users.length} 个，共 ${pagination.total} 个，请搜索`
          : undefined
      }
      emptyText={`没有可选的${only === undefined ? "用户" : ROLE_LABELS[only]}`}
      searchPlaceholder="搜索姓名、用户名、手机号或邮箱"
    />
  );
}

function optionOf(user: User, refusal: string | null) {
  const { id, name, username, email, phone, admin } = user;
  return {
    value: id,
    label: `${name} · @${username}`,
    description: [refusal, email ?? phone, admin && `负责人 ${admin.name}`]
      .filter(Boolean)
      .join(" · "),
    disabled: refusal !== null,
  };
}
