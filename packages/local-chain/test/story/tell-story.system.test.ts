import { testStory } from "./tell-story.ts";

testStory(90, 8);
