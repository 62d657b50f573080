import { useMedia } from "@/lib/use-media";

/** Whether list and details have room beside each other, next to an open sidebar: Tailwind's `lg` and up. */
export function useTwoPanes(): boolean {
  return useMedia("(min-width: 64rem)");
}
