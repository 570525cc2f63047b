package memcity.agent;

import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What has to be known of a method before it is instrumented: how long it is, whether it loops, where a constructor's object is one. */
final class Shape extends MethodVisitor {
    /** A method that is shorter and does not loop is trivial. */
    static final int TRIVIAL_INSTRUCTIONS = 30;

    private final boolean isConstructor;
    private final Set<Label> passed = new HashSet<Label>();
    private final Set<Label> ahead = new HashSet<Label>();
    private final Set<Label> startsOfTries = new HashSet<Label>();
    private int pendingNews;
    private boolean loops;
    private boolean isCallClear = true;

    int instructionCount;
    int maxLocals;
    /** In a constructor, how many calls of constructors come before the one of its own object; -1 if there is none. */
    int superCall = -1;
    private int constructorCalls;

    Shape(String name) {
        super(Opcodes.ASM9);
        isConstructor = name.equals("<init>");
    }

    boolean isTrivial() {
        return !loops && instructionCount < TRIVIAL_INSTRUCTIONS;
    }

    /**
     * In a constructor, nothing can be caught before it has called another one. Where ways lead past that call, or something is caught
     * there, as no compiler of today's Java writes it, it is left alone.
     */
    boolean canBeInstrumented() {
        return !isConstructor || superCall >= 0 && isCallClear;
    }

    private void jump(Label label) {
        if (passed.contains(label)) {
            loops = true;
        } else if (isConstructor && superCall < 0) {
            ahead.add(label);
        }
    }

    private void jump(Label first, Label[] labels) {
        jump(first);
        for (Label label : labels) {
            jump(label);
        }
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
        startsOfTries.add(start);
    }

    @Override
    public void visitLabel(Label label) {
        passed.add(label);
        ahead.remove(label);
        if (isConstructor && superCall < 0 && startsOfTries.contains(label)) {
            isCallClear = false;
        }
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        instructionCount++;
        if (!isConstructor || superCall >= 0 || opcode != Opcodes.INVOKESPECIAL || !name.equals("<init>")) {
            return;
        }
        if (pendingNews > 0) {
            pendingNews--;
            constructorCalls++;
        } else {
            superCall = constructorCalls;
            isCallClear &= ahead.isEmpty();
        }
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        instructionCount++;
        if (opcode == Opcodes.NEW) {
            pendingNews++;
        }
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        instructionCount++;
        jump(label);
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
        instructionCount++;
        jump(otherwise, labels);
    }

    @Override
    public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
        instructionCount++;
        jump(otherwise, labels);
    }

    @Override
    public void visitInsn(int opcode) {
        instructionCount++;
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        instructionCount++;
    }

    @Override
    public void visitVarInsn(int opcode, int variable) {
        instructionCount++;
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        instructionCount++;
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle handle, Object... arguments) {
        instructionCount++;
    }

    @Override
    public void visitLdcInsn(Object value) {
        instructionCount++;
    }

    @Override
    public void visitIincInsn(int variable, int increment) {
        instructionCount++;
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
        instructionCount++;
    }

    @Override
    public void visitMaxs(int maxStack, int locals) {
        maxLocals = locals;
    }
}
