import "@/zod-setup";
import { type ReactNode, useState } from "react";
import { CommandMenu } from "@/layout/command-menu";
import { useHotkey } from "@/lib/use-hotkey";
import { LiveUpdatesProvider } from "@/live-updates";
import { RenewalToasts } from "@/renewals/renewal-toasts";
import { Shell } from "./shell";

/** Shell, live updates and keyboard of whoever is signed in. */
export function SignedInFrame({ children }: { children: ReactNode }) {
  const [isSearching, setSearching] = useState(false);
  useHotkey("mod+k", () => setSearching((isOpen) => !isOpen));
  useHotkey("/", () => {
    if (!focusSearch()) setSearching(true);
  });
  return (
    <LiveUpdatesProvider>
      <Shell onSearch={() => setSearching(true)}>{children}</Shell>
      <RenewalToasts />
      <CommandMenu open={isSearching} onOpenChange={setSearching} />
    </LiveUpdatesProvider>
  );
}

/** The page's own search field, when it has one in sight. */
function focusSearch(): boolean {
  for (const field of document.querySelectorAll<HTMLInputElement>(
    "main :is(input[type='search'], input[data-search])",
  )) {
    if (field.checkVisibility()) {
      field.focus();
      field.select();
      return true;
    }
  }
  return false;
}
