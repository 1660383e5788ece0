#pragma once

/// Marks a text that a student reads: it stays English here, and whoever shows it translates it in the context "Teach".
#define POLLARD_TEACH(text) text
