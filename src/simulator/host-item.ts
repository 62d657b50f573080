/** One entry of `UHostSet`, with the field types the provider's reference gives. Every field but the id may be missing. */
export interface HostItem {
  UHostId: string;
  Name?: string;
  Remark?: string;
  Tag?: string;
  Zone?: string;
  State?: string;
  BootDiskState?: string;
  CPU?: number;
  /** MB */
  Memory?: number;
  GPU?: number;
  GpuType?: string;
  MachineType?: string;
  UHostFamily?: string;
  CpuPlatform?: string;
  UHostType?: string;
  HostType?: string;
  HotPlugMaxCpu?: number;
  ChargeType?: string;
  /** Unix seconds */
  CreateTime?: number;
  /** Unix seconds */
  ExpireTime?: number;
  AutoRenew?: string;
  IsExpire?: string;
  OsName?: string;
  OsType?: string;
  ImageId?: string;
  BasicImageId?: string;
  BasicImageName?: string;
  /** GB, data disks only */
  TotalDiskSpace?: number;
  StorageType?: string;
  DiskSet?: Disk[];
  IPSet?: Address[];
  NetCapability?: string;
  NetworkState?: string;
  NetFeatureTag?: string;
  TimemachineFeature?: string;
  HotplugFeature?: boolean;
  CloudInitFeature?: boolean;
  IPv6Feature?: boolean;
  HpcFeature?: boolean;
  EpcInstance?: boolean;
  SecGroupInstance?: boolean;
  HiddenKvm?: boolean;
  LifeCycle?: string;
  IsolationGroup?: string;
  RdmaClusterId?: string;
  RestrictMode?: string;
  KeyPair?: { KeyPairId?: string; KeyPairState?: string };
  SpotAttribute?: { RecycleTime: number };
}

export interface Disk {
  DiskId: string;
  DiskType: string;
  /** The word `"True"` or `"False"`, not a boolean. */
  IsBoot: string;
  Type?: string;
  Name?: string;
  Drive: string;
  /** GB */
  Size: number;
  /** `"true"`/`"false"`; old hosts say `"No"`. */
  Encrypted: string;
  BackupType?: string;
}

export interface Address {
  IPMode: string;
  Type: string;
  IP: string;
  IPId?: string;
  /** Mbps */
  Bandwidth?: number;
  Weight?: number;
  Mac?: string;
  /** The word `"true"`, private network card only. */
  Default?: string;
  VPCId?: string;
  SubnetId?: string;
}
