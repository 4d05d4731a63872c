//===- CrashNote.cpp - Last words of a dying process ----------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//
//
// Some invalid IR makes the compiler inside Triton abort the process. A note
// that was left before says what was compiled and where the IR lies.
//
//===----------------------------------------------------------------------===//

#include "Handles.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <unistd.h>

namespace py = pybind11;

namespace {
constexpr int kSignals[] = {SIGABRT, SIGSEGV, SIGILL, SIGFPE, SIGBUS};
constexpr size_t kNumSignals = std::size(kSignals);
constexpr size_t kMaxNote = 4096;
/// How much of the end of the log is repeated: room for a failed assertion.
constexpr off_t kMaxLog = 800;

// A signal handler may not allocate, so all it needs lies here.
char note[kMaxNote];
size_t noteSize = 0;
int outputFd = -1;
int logFd = -1;
bool isSet = false;
struct sigaction previous[kNumSignals];
} // namespace

static void writeAll(const char *data, size_t size) {
  while (size != 0) {
    ssize_t written = write(outputFd, data, size);
    if (written <= 0)
      return;
    data += written;
    size -= written;
  }
}

static void restoreHandlers() {
  for (size_t i = 0; i != kNumSignals; ++i)
    sigaction(kSignals[i], &previous[i], nullptr);
}

static void leaveNote(int signal) {
  char log[kMaxLog];
  off_t size = lseek(logFd, 0, SEEK_END);
  if (size > 0) {
    off_t start = std::max<off_t>(0, size - kMaxLog);
    ssize_t read = pread(logFd, log, size - start, start);
    if (read > 0)
      writeAll(log, read);
  }
  writeAll(note, noteSize);
  // The signal is blocked until this function returns, and then takes the way
  // that it would have taken without us.
  restoreHandlers();
  raise(signal);
}

static void clearCrashNote() {
  if (isSet)
    restoreHandlers();
  isSet = false;
}

static void setCrashNote(const std::string &text, int output, int log) {
  clearCrashNote();
  noteSize = std::min(text.size(), kMaxNote);
  std::memcpy(note, text.data(), noteSize);
  outputFd = output;
  logFd = log;
  struct sigaction action = {};
  action.sa_handler = leaveNote;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i != kNumSignals; ++i)
    sigaction(kSignals[i], &action, &previous[i]);
  isSet = true;
}

void tlx_python::bindCrashNote(py::module_ &m) {
  m.def(
      "set_crash_note", &setCrashNote, py::arg("text"), py::arg("output"),
      py::arg("log"),
      "Write the end of the file `log`, then `text`, to the file `output` if a "
      "signal ends the process. Both are file descriptors.");
  m.def("clear_crash_note", &clearCrashNote, "Undo `set_crash_note`.");
}
