import { Id } from "@shared/ids.ts";
import { DeliveryStatus } from "@shared/notice-channels.ts";
import { listSearch } from "@/lib/list-search";

export const useRecordSearch = listSearch({
  input: {
    userId: Id.optional().catch(undefined),
    hostId: Id.optional().catch(undefined),
    status: DeliveryStatus.optional().catch(undefined),
  },
  urlOnly: {},
});
export type RecordSearch = ReturnType<typeof useRecordSearch>;
