#pragma once

/// Marks a text for students. It is English here; the window translates it in the context "Teach".
#define POLLARD_TEACH(text) text
