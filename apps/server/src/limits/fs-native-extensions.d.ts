/** The used part of the library, which has no types. */
declare module "fs-native-extensions" {
  /** Locks an open file until it is closed. Returns false if the file is locked. */
  export function tryLock(fd: number): boolean;
}
