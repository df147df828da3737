/** The part of the library that is used here; it brings no types of its own. */
declare module "fs-native-extensions" {
  /** Takes the whole of an open file for this process, until it is unlocked or closed. False where another one has it. */
  export function tryLock(fd: number): boolean;
}
