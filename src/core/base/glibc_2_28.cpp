// Only in wheels for older systems (CONCORDANT_GLIBC_2_28): functions that glibc 2.28 lacks, or that have a new symbol
// version in later releases. The linker turns each call of f into a call of __wrap_f (--wrap).
#include <ctime>

#include <pthread.h>
#include <sys/random.h>
#include <unistd.h>

// The version of all symbols that existed when glibc was first released for the architecture.
#if defined(__aarch64__)
#define CONCORDANT_OLD(name) __asm__(".symver old_" #name "," #name "@GLIBC_2.17")
#else
#define CONCORDANT_OLD(name) __asm__(".symver old_" #name "," #name "@GLIBC_2.2.5")
#endif

extern "C" {

// 2.29 changed how these report errors; their values are the same.
CONCORDANT_OLD(exp);
CONCORDANT_OLD(log);
CONCORDANT_OLD(log2);
double old_exp(double x);
double old_log(double x);
double old_log2(double x);
double __wrap_exp(double x) { return old_exp(x); }
double __wrap_log(double x) { return old_log(x); }
double __wrap_log2(double x) { return old_log2(x); }

// 2.34 moved these from libpthread to libc.
CONCORDANT_OLD(pthread_create);
CONCORDANT_OLD(pthread_join);
CONCORDANT_OLD(pthread_once);
CONCORDANT_OLD(pthread_setspecific);
CONCORDANT_OLD(__pthread_key_create);
int old_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument);
int old_pthread_join(pthread_t thread, void** result);
int old_pthread_once(pthread_once_t* once, void (*call)());
int old_pthread_setspecific(pthread_key_t key, const void* value);
int old___pthread_key_create(pthread_key_t* key, void (*destroy)(void*));
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
    return old_pthread_create(thread, attributes, run, argument);
}
int __wrap_pthread_join(pthread_t thread, void** result) { return old_pthread_join(thread, result); }
int __wrap_pthread_once(pthread_once_t* once, void (*call)()) { return old_pthread_once(once, call); }
int __wrap_pthread_setspecific(pthread_key_t key, const void* value) { return old_pthread_setspecific(key, value); }
int __wrap___pthread_key_create(pthread_key_t* key, void (*destroy)(void*)) {
    return old___pthread_key_create(key, destroy);
}

// Added in 2.32: whether the process has a single thread. Older systems do not report this, so assume it has more.
char __wrap___libc_single_threaded = 0;

// Added in 2.30. A deadline on another clock is converted to one on this clock with the same time left.
int __wrap_pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                  const timespec* until) {
    constexpr long second = 1'000'000'000;
    timespec there{}, here{};
    clock_gettime(clock, &there);
    clock_gettime(CLOCK_REALTIME, &here);
    here.tv_sec += until->tv_sec - there.tv_sec;
    here.tv_nsec += until->tv_nsec - there.tv_nsec;
    if (here.tv_nsec < 0) here.tv_nsec += second, --here.tv_sec;
    if (here.tv_nsec >= second) here.tv_nsec -= second, ++here.tv_sec;
    return pthread_cond_timedwait(condition, mutex, &here);
}

// Added in 2.36: an unpredictable number.
unsigned __wrap_arc4random() {
    unsigned number = 0;
    if (getentropy(&number, sizeof number) != 0) _exit(127);
    return number;
}
}
